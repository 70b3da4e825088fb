import type { JsonObject } from '../../lib/json.ts';
import { ApiError } from '../api-error.ts';
import { readEnum, readOptionalNumber, omitNullFields, createFieldError } from '../request-fields.ts';
import { countTokens } from '../tokens.ts';
import type { EmbeddingModel } from './embedding-models.ts';

/** A validated embeddings request (§2.6), with one item per vector. */
export interface ParsedEmbeddingsRequest {
  model: EmbeddingModel;
  items: (string | number[])[];
  /** Number of tokens in all items. */
  tokens: number;
  size: number;
  format: 'float' | 'base64';
}

/** Usual limits; the specification does not define any. */
const maxItemTokens = 8192;
const maxItems = 2048;

const inputShape =
  'a string, an array of strings, an array of token numbers or an array of such arrays, none of them empty';

/** Validates the body of POST /v1/embeddings (§2.6). Throws an ApiError for the first invalid field. */
export function readEmbeddingsRequest(
  body: JsonObject,
  findModel: (id: unknown) => EmbeddingModel,
): ParsedEmbeddingsRequest {
  const fields = omitNullFields(body);
  const model = findModel(fields['model']);
  const { items, getPath } = readInput(fields['input']);
  const tokens = items.reduce((sum, item, index) => sum + countItemTokens(item, getPath(index), model), 0);
  const format = readEnum('encoding_format', fields['encoding_format'] ?? 'float', ['float', 'base64']);
  return { model, items, tokens, size: readSize(fields, model), format };
}

function readInput(input: unknown): { items: (string | number[])[]; getPath: (index: number) => string } {
  const singleItem = toItem(input);
  if (singleItem !== undefined) return { items: [singleItem], getPath: () => 'input' };
  if (!Array.isArray(input) || input.length === 0) throw createFieldError('input', input, inputShape);
  if (input.length > maxItems) {
    throw new ApiError(
      'invalid_request',
      `input has ${input.length} items; at most ${maxItems} are allowed.`,
    );
  }
  const isTextInput = typeof input[0] === 'string';
  const items = input.map((value: unknown, index) => {
    const item = toItem(value);
    if (item !== undefined && (typeof item === 'string') === isTextInput) return item;
    const expected = isTextInput
      ? 'a string that is not empty, as the first item is'
      : 'an array of token numbers';
    throw createFieldError(`input[${index}]`, value, index === 0 ? `an item of ${inputShape}` : expected);
  });
  return { items, getPath: (index) => `input[${index}]` };
}

/** Returns a non-empty text or token list, otherwise `undefined`. */
function toItem(value: unknown): string | number[] | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return value.every(isToken) ? value : undefined;
}

function isToken(token: unknown): token is number {
  return typeof token === 'number' && Number.isSafeInteger(token) && token >= 0;
}

function countItemTokens(item: string | number[], path: string, { id }: EmbeddingModel): number {
  const tokens = typeof item === 'string' ? countTokens(item) : item.length;
  if (tokens <= maxItemTokens) return tokens;
  throw new ApiError(
    'invalid_request',
    `${path} has ${tokens} tokens; ${id} accepts at most ${maxItemTokens} in one item.`,
  );
}

function readSize(fields: JsonObject, { id, size, allowedDimensions }: EmbeddingModel): number {
  const requestedDimensions = readOptionalNumber(fields, 'dimensions', { min: 1, isInteger: true });
  if (requestedDimensions === undefined) return size;
  if (allowedDimensions === undefined) {
    throw new ApiError(
      'invalid_request',
      `dimensions is ${requestedDimensions}, but ${id} always returns ${size} and does not accept dimensions.`,
    );
  }
  if (!allowedDimensions.includes(requestedDimensions))
    throw createFieldError(
      'dimensions',
      requestedDimensions,
      `one of ${allowedDimensions.join(', ')} for ${id}`,
    );
  return requestedDimensions;
}
