import { isRecord, numberProperty, ownProperty, stringProperty } from '../../lib/json.ts';
import { isEmpty } from '../errors/error-value.ts';

/** An item of a list of models; `key`: what it is called there, where the list is a table by id. */
export interface ListedModel {
  item: unknown;
  key?: string;
}

const wrappers = ['data', 'models', 'items', 'results', 'list', 'model_list', 'records', 'entries'];
const outerWrappers = ['response', 'result', 'body', 'payload', 'output', 'value', 'values'];
const deepest = 4;

/** The models in an answer of any shape (§2.8 does not show it): a list, a table by id, in wrappers, by group, or one alone. */
export function modelsIn(value: unknown, depth = 0): ListedModel[] | undefined {
  if (depth > deepest) return undefined;
  if (Array.isArray(value))
    return value.flatMap((item: unknown) =>
      Array.isArray(item) ? (modelsIn(item, depth + 1) ?? []) : [{ item }],
    );
  if (!isRecord(value)) return undefined;
  for (const name of [...wrappers, ...outerWrappers]) {
    const inner = ownProperty(value, name);
    const list = modelsIn(inner, depth + 1) ?? (wrappers.includes(name) ? tableOf(inner) : undefined);
    if (list) return list;
  }
  if (isModel(value)) return [{ item: value }];
  const members = Object.entries(value);
  const tables = members.filter(([, member]) => isRecord(member) || (depth > 0 && member === null));
  if (
    tables.some(([, member]) => isModel(member)) &&
    tables.every(([, member]) => member === null || isModel(member))
  )
    return tables.map(([key, item]) => ({ item: item ?? {}, key }));
  const lists = members.flatMap(([, member]) =>
    Array.isArray(member) && member.some(isListed) ? [member] : [],
  );
  if (lists.length > 0) return lists.flatMap((list) => modelsIn(list, depth + 1) ?? []);
  for (const [, member] of tables) {
    const list = modelsIn(member, depth + 1);
    if (list) return list;
  }
  return undefined;
}

/** Under a name for lists, an object is a table by id, whatever it says of each model. */
function tableOf(value: unknown): ListedModel[] | undefined {
  if (!isRecord(value)) return undefined;
  return Object.entries(value).map(([key, item]) => ({ item: isRecord(item) ? item : {}, key }));
}

const modelFields = [
  'owned_by',
  'context_length',
  'context_window',
  'max_model_len',
  'max_tokens',
  'max_input_tokens',
  'capabilities',
  'pricing',
  'architecture',
  'modalities',
  'litellm_provider',
];

function isModel(value: unknown): boolean {
  return (
    stringProperty(value, 'object') === 'model' ||
    modelFields.some((field) => ownProperty(value, field) !== undefined)
  );
}

function isListed(item: unknown): boolean {
  if (typeof item === 'string') return /^\S+$/.test(item);
  return isModel(item) || stringProperty(item, 'id') !== undefined;
}

const nextNames = [
  'next',
  'next_page',
  'nextPage',
  'next_url',
  'next_cursor',
  'nextCursor',
  'next_page_token',
  'nextPageToken',
  'next_token',
];
const pagingNames = [
  'links',
  '_links',
  'paging',
  'pagination',
  'page_info',
  'pageInfo',
  'meta',
  'cursors',
  'data',
  'result',
];
const totalNames = ['total', 'total_count', 'totalCount', 'count'];

/** True where an answer with so many models says that there are more on further pages. */
export function hasMorePages(value: unknown, models: number, headers: Record<string, string>): boolean {
  return /rel="?next\b/i.test(headers['link'] ?? '') || saysMore(value, models, 0);
}

function saysMore(value: unknown, models: number, depth: number): boolean {
  if (!isRecord(value) || depth > 2) return false;
  const flags = ['has_more', 'hasMore', 'has_next', 'hasNextPage', 'has_next_page'];
  return (
    flags.some((name) => ownProperty(value, name) === true) ||
    nextNames.some((name) => !isEmpty(ownProperty(value, name))) ||
    totalNames.some((name) => (numberProperty(value, name) ?? 0) > models) ||
    pagingNames.some((name) => saysMore(ownProperty(value, name), models, depth + 1))
  );
}
