/** The classes that have no row yet, and the cases that are known to differ. */
export const notBuilt = [
  'Kosmos2_5ImageProcessor',
  'Molmo2ImageProcessor',
  'NemotronH_Omni_Reasoning_V3ImageProcessor',
  'PPDocLayoutV4ImageProcessor',
  'PPOCRV5ServerDetImageProcessor',
  'PPOCRV5ServerRecImageProcessor',
  'Phi4MultimodalImageProcessor',
  'Pix2StructImageProcessor',
  'SLANeXtImageProcessor',
  'UVDocImageProcessor',
  'VitPoseImageProcessor',
];

/**
 * Beginnings of the ids of cases. OWLv2 and ZoeDepth without `do_rescale` resize bytes in Python, and float32 here.
 * Sapiens 2 with boxes warps the picture.
 */
export const notEqual = [
  'existing_found_owlv2_raw',
  'existing_found_zoedepth',
  'existing_owlv2_1',
  'existing_owlv2_2',
  'existing_owlv2_4',
  'existing_zoedepth_0',
  'existing_zoedepth_1',
  'existing_zoedepth_3',
  'sapiens2_boxes',
];
