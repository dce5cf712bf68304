/** The video classes that have no row yet: both resize float32. */
export const notBuiltVideos = ['Molmo2VideoProcessor', 'NemotronH_Omni_Reasoning_V3VideoProcessor'];
