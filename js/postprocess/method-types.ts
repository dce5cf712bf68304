/** What postProcessor makes of a configuration, by its class. */
import type { PostProcessClasses } from './class-methods.js';
import type { MethodOptions, SessionOutputs, SharedMethodOptions } from './method-options.js';

/** The class that a configuration names, if its type has the name; otherwise any, of which editors complete those that
 * are known. */
export type PostClassOf<Config> = Config extends { image_processor_type: infer Name extends string }
  ? Name
  : Config extends { video_processor_type: infer Name extends string }
    ? Name
    : Config extends { feature_extractor_type: infer Name extends string }
      ? Name
      : PostClassName | (string & {});

/** A class's name as transformers writes it today. */
type CurrentName<Name> = Name extends `${infer Rest}${'Fast' | 'Pil'}`
  ? CurrentName<Rest>
  : Name extends `${infer Rest}FeatureExtractor`
    ? `${Rest}ImageProcessor`
    : Name;

/** The classes that postProcessor knows. */
export type PostClassName = keyof PostProcessClasses;

/** A method of a class that shows when the program runs. */
export type PostProcess = (outputs: SessionOutputs, options?: (SharedMethodOptions & MethodOptions) | null) => any;

/** The methods of a class, by its name. Any methods where the name is known only at run time. */
export type PostProcessor<Name extends string = string> = string extends Name
  ? { className: string } & Record<string, PostProcess>
  : CurrentName<Name> extends PostClassName
    ? { className: string } & PostProcessClasses[CurrentName<Name>]
    : { className: string } & Record<string, PostProcess>;
