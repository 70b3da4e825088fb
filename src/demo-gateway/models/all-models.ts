import type { DemoModel } from '../model.ts';
import { sampler } from '../sampling/sampler.ts';
import { guide } from './guide.ts';
import { markdown } from './markdown.ts';
import { thinker } from './thinker.ts';
import { tools } from './tools.ts';
import { vision } from './vision.ts';

/** Every chat model of the demo gateway, in the order of the model list. */
export const allModels: readonly DemoModel[] = [guide, sampler, thinker, tools, vision, markdown];
