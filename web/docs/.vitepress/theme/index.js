/** VitePress' own theme with the fonts of the reader's system: nothing is fetched that is not of the site. */
import DefaultTheme from 'vitepress/theme-without-fonts';
import './site.css';

export default DefaultTheme;
