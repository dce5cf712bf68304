/** How VitePress builds the site: pages/ into dist/. `DOCS_BASE` is the address of a version, as `/onnx-layout/v1/`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';

const root = join(import.meta.dirname, '../../..');
const pages = join(root, 'web/docs/pages');
const { version, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const base = process.env.DOCS_BASE ?? '/';

/** A page's first heading is its name in the sidebar. */
const titleOf = (path) => /^# (.*)$/m.exec(readFileSync(join(pages, `${path}.md`), 'utf8'))[1].replace(/\\/g, '');
const pageItem = (path) => ({ text: titleOf(path), link: `/${path}` });
const group = (text, paths) => ({ text, items: paths.map(pageItem) });

const pagesOf = (names) => names.split(' ').map((name) => `guides/${name}`);

const doors = ['', 'image', 'processors', 'audio', 'postprocess', 'io', 'convert', 'operators', 'transformers', 'node'];

/** The pages that TypeDoc wrote of a door, by their kinds. */
function doorItems(door) {
  const folder = door ? `onnx-layout/${door}` : 'onnx-layout';
  const kinds = ['classes', 'functions', 'variables'].filter((kind) => existsSync(join(pages, 'api', folder, kind)));
  const names = kinds.flatMap((kind) =>
    readdirSync(join(pages, 'api', folder, kind)).map((file) => `${kind}/${file.replace(/\.md$/, '')}`),
  );
  if (names.length === 0) return [];
  const items = names.map((name) => ({ text: name.split('/')[1], link: `/api/${folder}/${name}` }));
  return [{ text: folder, link: `/api/${folder}/`, collapsed: true, items }];
}

const guides = [
  group('Start', ['guides/tutorial', 'guides/node', 'guides/cookbook', 'guides/compare', 'not']),
  group('In a project', pagesOf('vite nextjs no-bundler typescript workers service-workers loading csp')),
  group('From end to end', pagesOf('jobs results yolo ocr sessions large-weights quantize checkpoint operators')),
  group('Reference', [
    'reference/calls',
    'reference/types',
    'reference/images',
    'reference/opencv',
    'reference/processors',
    'reference/videos',
    'reference/classes',
    'reference/audio',
    'reference/results',
    'reference/files',
    'reference/command-line',
    'guides/versions',
  ]),
];
const reference = [...doors.flatMap(doorItems), { text: 'Types of arguments and results', link: '/api/types/' }];

/** The repository, once package.json names it. */
const sourceLink = repository ? [{ text: 'Source', link: repository.url.replace(/^git\+|\.git$/g, '') }] : [];

export default defineConfig({
  title: 'onnx-layout',
  description: 'Python-exact pre- and postprocessing for ONNX models in JavaScript',
  lang: 'en',
  base,
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: '../../build/vitepress',
  cleanUrls: false,
  // The playground is a page of its own, which build.mjs puts beside these.
  ignoreDeadLinks: [/^\/playground\//],
  head: [['link', { rel: 'icon', href: `${base}icon.svg` }]],
  themeConfig: {
    footer: { message: `Version ${version}` },
    logo: '/icon.svg',
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Tutorial', link: '/guides/tutorial' },
      { text: 'Cookbook', link: '/guides/cookbook' },
      { text: 'Reference', link: '/reference/calls' },
      { text: 'API', link: '/api/onnx-layout/' },
      { text: 'Playground', link: '/playground/index.html', target: '_self' },
      ...sourceLink,
    ],
    sidebar: { '/api/': reference, '/': guides },
  },
});
