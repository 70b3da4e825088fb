import type { JsonObject } from '../../lib/json.ts';
import { ApiError } from '../api-error.ts';
import { oneOfWords, optionalNumber, presentFields, refusedField } from '../request-fields.ts';
import { countTokens } from '../tokens.ts';
import type { EmbeddingModel } from './embedding-models.ts';

/** A checked §2.6 request: one item for each vector to make. */
export interface EmbeddingsCall {
  model: EmbeddingModel;
  items: (string | number[])[];
  /** Over all items. */
  tokens: number;
  size: number;
  format: 'float' | 'base64';
}

/** The specification leaves the numbers open; these are common ones. */
const mostTokensAnItem = 8192;
const mostItems = 2048;

const inputShape =
  'a string, an array of strings, an array of token numbers or an array of such arrays, none of them empty';

/** §2.6: the body of POST /v1/embeddings, checked; throws an ApiError for the first field that is wrong. */
export function readEmbeddingsRequest(
  body: JsonObject,
  findModel: (id: unknown) => EmbeddingModel,
): EmbeddingsCall {
  const fields = presentFields(body);
  const model = findModel(fields['model']);
  const { items, paths } = readInput(fields['input']);
  const tokens = items.reduce((sum, item, index) => sum + checkedTokens(item, paths(index), model), 0);
  const format = oneOfWords('encoding_format', fields['encoding_format'] ?? 'float', ['float', 'base64']);
  return { model, items, tokens, size: readSize(fields, model), format };
}

function readInput(input: unknown): { items: (string | number[])[]; paths: (index: number) => string } {
  const single = asItem(input);
  if (single !== undefined) return { items: [single], paths: () => 'input' };
  if (!Array.isArray(input) || input.length === 0) throw refusedField('input', input, inputShape);
  if (input.length > mostItems) {
    throw new ApiError(
      'invalid_request',
      `input has ${input.length} items; at most ${mostItems} are allowed.`,
    );
  }
  const wantsTexts = typeof input[0] === 'string';
  const items = input.map((value: unknown, index) => {
    const item = asItem(value);
    if (item !== undefined && (typeof item === 'string') === wantsTexts) return item;
    const allowed = wantsTexts
      ? 'a string that is not empty, as the first item is'
      : 'an array of token numbers';
    throw refusedField(`input[${index}]`, value, index === 0 ? `an item of ${inputShape}` : allowed);
  });
  return { items, paths: (index) => `input[${index}]` };
}

/** A text or a list of tokens that is not empty, or undefined. */
function asItem(value: unknown): string | number[] | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return value.every(isToken) ? value : undefined;
}

function isToken(token: unknown): token is number {
  return typeof token === 'number' && Number.isSafeInteger(token) && token >= 0;
}

function checkedTokens(item: string | number[], path: string, { id }: EmbeddingModel): number {
  const tokens = typeof item === 'string' ? countTokens(item) : item.length;
  if (tokens <= mostTokensAnItem) return tokens;
  throw new ApiError(
    'invalid_request',
    `${path} has ${tokens} tokens; ${id} accepts at most ${mostTokensAnItem} in one item.`,
  );
}

function readSize(fields: JsonObject, { id, size, dimensions }: EmbeddingModel): number {
  const asked = optionalNumber(fields, 'dimensions', { min: 1, integer: true });
  if (asked === undefined) return size;
  if (dimensions === undefined) {
    throw new ApiError(
      'invalid_request',
      `dimensions is ${asked}, but ${id} always returns ${size} and does not accept dimensions.`,
    );
  }
  if (!dimensions.includes(asked))
    throw refusedField('dimensions', asked, `one of ${dimensions.join(', ')} for ${id}`);
  return asked;
}
