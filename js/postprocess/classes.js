/** The table of transformers' classes with `post_process_*` methods, and of the method that stands for each. A row is a
 * class: its methods under Python's names, and the defaults of the settings that they read. */
import { rangeError, showList } from '../arguments/index.js';
import * as depth from './methods/depth.js';
import * as detection from './methods/detection.js';
import * as grounded from './methods/grounded.js';
import * as instances from './methods/instances.js';
import * as keypoints from './methods/keypoints.js';
import * as layout from './methods/layout.js';
import * as generation from './methods/mask-generation.js';
import * as masks from './methods/masks.js';
import * as normals from './methods/normals.js';
import * as pictures from './methods/picture-answers.js';
import * as poses from './methods/poses.js';
import * as segments from './methods/segments.js';
import * as semantic from './methods/semantic.js';
import * as text from './methods/text.js';
import { evenSize, readEdges, sizeWithin } from './methods/settings.js';

/** @import { Planes } from '../engines/results/index.js' */
/** @import { Method, Row, Settings } from './types.js' */

/** Names a method as Python names it. @type {(method: Method) => Record<string, Method>} */
const semanticOf = (method) => ({ post_process_semantic_segmentation: method });
/** @type {(method: Method) => Record<string, Method>} */
const depthOf = (method) => ({ post_process_depth_estimation: method });
/** @type {(method: Method) => Record<string, Method>} */
const detectionOf = (method) => ({ post_process_object_detection: method });
/** Makes the row of a class. @type {(methods: Record<string, Method>, settings?: Settings) => Row} */
const row = (methods, settings) => ({ methods, settings });

const detrModel = { logits: 'logits', masks: 'pred_masks' };
const maskFormerModel = { logits: 'class_queries_logits', masks: 'masks_queries_logits' };
const mask2FormerModel = { ...maskFormerModel, firstSize: [384, 384] };
const oneFormerModel = { ...maskFormerModel, resizeToTarget: semantic.smoothResize };

/** Declares the three segmentation methods of DETR's classes. `keepsLast`: whether the last class counts in semantic
 * segmentation and does not stand for "no object".
 * @type {(model: segments.QueryModel, keepsLast: boolean) => Record<string, Method>} */
const detrSegments = (model, keepsLast) => ({
  post_process_semantic_segmentation: semantic.querySemantic({ ...model, keepsLast }),
  post_process_instance_segmentation: segments.instanceSegments(model),
  post_process_panoptic_segmentation: segments.panopticSegments(model),
});

/** Declares the three segmentation methods of MaskFormer, Mask2Former or OneFormer. `instance`: the method for
 * instances, in which the three differ.
 * @type {(model: segments.QueryModel, instance: Method) => Record<string, Method>} */
const formerSegments = (model, instance) => ({
  post_process_semantic_segmentation: semantic.querySemantic({
    ...model,
    resizeFirst: (planes) => segments.toFirstSize(planes, model),
  }),
  post_process_instance_segmentation: instance,
  post_process_panoptic_segmentation: segments.panopticSegments(model),
});

/** Resizes EoMT's masks to the `size` of a picture in three steps: to the size of the model's input, cut to the part of
 * the input that shows the picture, without padding, and to the picture.
 * @type {(planes: Planes, size: readonly number[], settings: Settings) => Planes} */
function eomtMasks(planes, size, settings) {
  const fitted = sizeWithin(size, readEdges(settings));
  if (fitted.includes(0)) rangeError(`target_sizes must keep a row and a column of the masks, got ${showList(size)}`);
  return semantic.sliceOf(planes.resize(evenSize(settings)), fitted).resize(size);
}

/** Resizes VidEoMT's masks to a frame's size. @type {(planes: Planes, size: readonly number[]) => Planes} */
const videoMasks = (planes, size) => planes.resize(size);

const semanticRow = row(semanticOf(semantic.semantic));
const oneFormer = row(formerSegments(oneFormerModel, segments.oneFormerInstance(oneFormerModel)));
const keypointMatching = row({ post_process_keypoint_matching: keypoints.matching });
const recognition = row({ post_process_text_recognition: text.textRecognition });

const samSettings = { pad_size: { height: 1024, width: 1024 } };
const generationMethods = {
  generate_crop_boxes: generation.generateCropBoxes,
  filter_masks: generation.filterMasks,
  post_process_for_mask_generation: generation.maskGeneration,
};
const sam = row({ ...generationMethods, post_process_masks: masks.samMasks }, samSettings);
const samProcessor = row({ post_process_masks: masks.samMasks }, samSettings);
const sam2 = { post_process_masks: masks.sam2Masks };
const samVideo = row({ post_process_masks: masks.videoMasks }, { size: samSettings.pad_size });

const sam3Detection = {
  post_process_object_detection: detection.sam3,
  post_process_instance_segmentation: instances.sam3Instance,
  post_process_semantic_segmentation: semantic.sam3Semantic,
};

const imagenet = { image_mean: [0.485, 0.456, 0.406], image_std: [0.229, 0.224, 0.225] };

/** @type {Record<string, Row>} by the names of Python's classes */
export const table = {
  BeitImageProcessor: semanticRow,
  CHMv2ImageProcessor: row({ ...semanticRow.methods, ...depthOf(depth.depth('bilinear', { align: true })) }),
  ConditionalDetrImageProcessor: row({
    ...detectionOf(detection.conditionalDetr),
    ...detrSegments(detrModel, true),
  }),
  DPTImageProcessor: row({ ...semanticRow.methods, ...depthOf(depth.depth('bicubic')) }),
  DeformableDetrImageProcessor: row(detectionOf(detection.conditionalDetr)),
  DepthProImageProcessor: row(depthOf(depth.depthPro)),
  DetrImageProcessor: row({ ...detectionOf(detection.detr), ...detrSegments(detrModel, false) }),
  EfficientLoFTRImageProcessor: row({ post_process_keypoint_matching: keypoints.denseMatching }),
  EomtImageProcessor: row(
    {
      post_process_semantic_segmentation: semantic.videoSemantic(
        semantic.querySemantic({ ...maskFormerModel, resizeFirst: semantic.toModelSize }),
      ),
      post_process_instance_segmentation: instances.stuffInstance(maskFormerModel, 0.8, eomtMasks),
      post_process_panoptic_segmentation: segments.stuffPanoptic(maskFormerModel, 'stuff_classes', eomtMasks),
    },
    { size: { shortest_edge: 640, longest_edge: 640 } },
  ),
  GLPNImageProcessor: row(depthOf(depth.depth('bicubic', { keepsSides: true }))),
  GroundingDinoImageProcessor: row(detectionOf(detection.owlViT)),
  GroundingDinoProcessor: row({ post_process_grounded_object_detection: grounded.groundingDino }),
  LightGlueImageProcessor: keypointMatching,
  Mask2FormerImageProcessor: row(formerSegments(mask2FormerModel, instances.maskFormerInstance(mask2FormerModel))),
  MaskFormerImageProcessor: row(formerSegments(maskFormerModel, instances.maskFormerInstance(maskFormerModel))),
  MobileNetV2ImageProcessor: semanticRow,
  MobileViTImageProcessor: semanticRow,
  OmDetTurboProcessor: row({ post_process_grounded_object_detection: grounded.omDet }),
  OneFormerImageProcessor: oneFormer,
  OneFormerProcessor: oneFormer,
  OwlViTImageProcessor: row({
    ...detectionOf(detection.owlViT),
    post_process_image_guided_detection: grounded.owlViTGuided,
  }),
  OwlViTProcessor: row({
    post_process_grounded_object_detection: grounded.owlViTGrounded,
    post_process_image_guided_detection: grounded.owlViTGuided,
  }),
  Owlv2ImageProcessor: row({
    ...detectionOf(detection.owlv2),
    post_process_image_guided_detection: grounded.owlv2Guided,
  }),
  Owlv2Processor: row({
    post_process_grounded_object_detection: grounded.owlv2Grounded,
    post_process_image_guided_detection: grounded.owlv2Guided,
  }),
  PPDocLayoutV2ImageProcessor: row(detectionOf(layout.layout)),
  PPDocLayoutV3ImageProcessor: row(detectionOf(layout.layoutPolygons), { size: { height: 800, width: 800 } }),
  PPDocLayoutV4ImageProcessor: row(detectionOf(layout.layoutCorners)),
  PPOCRV5ServerDetImageProcessor: row(detectionOf(text.textDetection)),
  PPOCRV5ServerRecImageProcessor: recognition,
  PPOCRV6SmallRecImageProcessor: recognition,
  PromptDepthAnythingImageProcessor: row(depthOf(depth.depth('bicubic'))),
  RTDetrImageProcessor: row(detectionOf(detection.rtDetr)),
  RfDetrImageProcessor: row({
    ...detectionOf(detection.rfDetr),
    post_process_instance_segmentation: instances.rfDetrInstance,
  }),
  SLANeXtImageProcessor: row({ post_process_table_recognition: text.tableRecognition }),
  Sam2ImageProcessor: row({ ...generationMethods, ...sam2 }),
  Sam2Processor: row(sam2),
  Sam2VideoProcessor: samVideo,
  Sam2VideoVideoProcessor: samVideo,
  Sam3ImageProcessor: row({ ...generationMethods, ...sam2, ...sam3Detection }),
  Sam3Processor: row(sam3Detection),
  Sam3TrackerProcessor: row(sam2),
  Sam3TrackerVideoProcessor: samVideo,
  SamHQProcessor: samProcessor,
  SamImageProcessor: sam,
  SamProcessor: samProcessor,
  Sapiens2ImageProcessor: row(
    {
      ...semanticRow.methods,
      post_process_pose_estimation: poses.sapiensPose,
      post_process_normal_estimation: normals.sapiensNormals,
      post_process_pointmap_estimation: normals.pointMap,
      post_process_image_matting: pictures.matting,
    },
    { size: { height: 1024, width: 768 } },
  ),
  SegGptImageProcessor: row(semanticOf(semantic.segGpt), imagenet),
  SegformerImageProcessor: semanticRow,
  SuperGlueImageProcessor: keypointMatching,
  SuperPointImageProcessor: row({ post_process_keypoint_detection: keypoints.keypointDetection }),
  Tipsv2DptImageProcessor: row({
    ...semanticRow.methods,
    ...depthOf(depth.depth('bilinear')),
    post_process_normal_estimation: normals.normals,
  }),
  TvpProcessor: row({ post_process_video_grounding: text.videoGrounding }),
  UVDocImageProcessor: row({ post_process_document_rectification: pictures.rectification }),
  VideomtVideoProcessor: row({
    post_process_semantic_segmentation: semantic.videoSemantic(semantic.querySemantic(maskFormerModel)),
    post_process_instance_segmentation: instances.stuffInstance(maskFormerModel, 0.5, videoMasks),
    post_process_panoptic_segmentation: segments.stuffPanoptic(maskFormerModel, 'label_ids_to_fuse', videoMasks),
  }),
  VitPoseImageProcessor: row({ post_process_pose_estimation: poses.vitPose }, { size: { height: 256, width: 192 } }),
  YolosImageProcessor: row(detectionOf(detection.detr)),
  ZoeDepthImageProcessor: row(depthOf(depth.zoeDepth), { do_pad: true }),
};

/** Methods that have no counterpart here, and why. */
export const unsupported = /** @type {Record<string, Record<string, string>>} */ ({
  OwlViTProcessor: { post_process: 'raises in Python too: its image processor lacks what it calls' },
});

/** Classes whose methods make text of tokens: those belong to a tokenizer. */
export const textClasses = [
  'CohereCompassProcessor',
  'Cosmos3EdgeProcessor',
  'Dots3NoteProcessor',
  'Emu3Processor',
  'Exaone4_5_Processor',
  'Florence2Processor',
  'FuyuProcessor',
  'Glm46VProcessor',
  'Glm4vProcessor',
  'Glm5NextProcessor',
  'HYV4VLProcessor',
  'HyperCLOVAXVisionV2Processor',
  'JanusProcessor',
  'Kimi_K25Processor',
  'Kosmos2Processor',
  'Lfm3VlProcessor',
  'MiniCPMOcrProcessor',
  'MiniCPMV4_6Processor',
  'MiniCPMV4_7Processor',
  'MiniMaxM3VLProcessor',
  'MllamaProcessor',
  'NemotronH_Omni_Reasoning_V3Processor',
  'NougatProcessor',
  'PPFormulaNetProcessor',
  'Qwen2VLProcessor',
  'Qwen2_5OmniProcessor',
  'Qwen2_5_VLProcessor',
  'Qwen3OmniMoeProcessor',
  'Qwen3VLProcessor',
  'VideoLlama3Processor',
];
