import { ApiError } from './api-error.ts';
import type { EmbeddingModel } from './embeddings/embedding-models.ts';
import type { DemoModel } from './model.ts';
import { extract } from './models/extract.ts';
import { guide } from './models/guide.ts';
import { markdownModel } from './models/markdown-model.ts';
import { quiz } from './models/quiz.ts';
import { strict } from './models/strict.ts';
import { thinker } from './models/thinker.ts';
import { tools } from './models/tools.ts';
import { vision } from './models/vision.ts';
import { createFieldError } from './request-fields.ts';
import { sampler } from './sampling/sampler.ts';

/** Every chat model of the demo gateway, in the order of the model list. */
export const chatModels: readonly DemoModel[] = [
  guide,
  sampler,
  thinker,
  tools,
  extract,
  vision,
  markdownModel,
  quiz,
];

/** Chat models with `demo/strict`, which is listed on request only. */
export const chatModelsWithQuirks: readonly DemoModel[] = [...chatModels, strict];

/** Every model of the gateway, found by its exact id. */
interface Catalog {
  size: number;
  /** Throws what is wrong with an id that is not a chat model's. */
  findChatModel: (id: unknown) => DemoModel;
  /** Throws what is wrong with an id that is not an embedding model's. */
  findEmbeddingModel: (id: unknown) => EmbeddingModel;
  /** §2.8: the list; the specification leaves its shape open, so it is the format's common one with more said. */
  list: (createdSeconds: number) => Record<string, unknown>;
}

export function createCatalog(
  models: readonly DemoModel[],
  embeddingModels: readonly EmbeddingModel[],
): Catalog {
  const chatIds = models.map(({ id }) => id);
  const embeddingIds = embeddingModels.map(({ id }) => id);
  return {
    size: models.length + embeddingModels.length,
    findChatModel(id) {
      const match = models.find((model) => model.id === id);
      if (match === undefined) throw createModelError(id, chatIds, embeddingIds, 'POST /v1/embeddings');
      return match;
    },
    findEmbeddingModel(id) {
      const match = embeddingModels.find((model) => model.id === id);
      if (match === undefined) throw createModelError(id, embeddingIds, chatIds, 'POST /v1/chat/completions');
      return match;
    },
    list(createdSeconds) {
      const common = { object: 'model', created: createdSeconds, owned_by: 'demo' };
      const noAbilities = { vision: false, tools: false, thinking: false };
      const data = [
        ...models.map(({ id, description, abilities }) => ({
          id,
          ...common,
          type: 'chat',
          description,
          capabilities: abilities,
        })),
        ...embeddingModels.map(({ id, description }) => ({
          id,
          ...common,
          type: 'embedding',
          description,
          capabilities: noAbilities,
        })),
      ];
      return { object: 'list', data };
    },
  };
}

/** Why an id is none of `ids`: it is missing, it belongs to the other route, or nobody has it. */
function createModelError(
  id: unknown,
  ids: readonly string[],
  otherIds: readonly string[],
  otherRoute: string,
): ApiError {
  if (typeof id !== 'string' || id === '') return createFieldError('model', id, `one of ${ids.join(', ')}`);
  if (otherIds.includes(id)) {
    const message = `model is "${id}", which is for ${otherRoute}. Use one of ${ids.join(', ')}.`;
    return new ApiError('invalid_request', message);
  }
  return new ApiError('model_not_found', `The model "${id}" does not exist. Use one of ${ids.join(', ')}.`);
}
