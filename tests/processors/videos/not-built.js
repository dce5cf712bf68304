/** The video classes that have no row yet. */
export const notBuiltVideos = [];
