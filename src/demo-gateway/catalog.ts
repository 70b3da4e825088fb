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

/** Chat models of the demo gateway, in the order of the model list. */
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

/** Chat models including `demo/strict`, which is listed only on request. */
export const chatModelsWithQuirks: readonly DemoModel[] = [...chatModels, strict];

/** Models of the gateway, looked up by their exact ID. */
interface Catalog {
  size: number;
  /** Returns the chat model; throws an ApiError for any other ID. */
  findChatModel: (id: unknown) => DemoModel;
  /** Returns the embedding model; throws an ApiError for any other ID. */
  findEmbeddingModel: (id: unknown) => EmbeddingModel;
  /**
   * Returns the model list (§2.8). The specification does not define its shape, so this is the usual one with extra
   * fields.
   */
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
      const noAbilities = { vision: false, files: false, audio: false, tools: false, thinking: false };
      const data = [
        ...models.map(({ id, description, abilities }) => ({
          id,
          ...common,
          type: 'chat',
          description,
          capabilities: { ...noAbilities, ...abilities },
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

/** Creates the error for an ID that is not among `ids`: missing, meant for the other route, or unknown. */
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
