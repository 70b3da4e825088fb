import { isRecord, getOwnProperty, getStringProperty } from '../../lib/json.ts';
import { isBlankValue } from '../errors/error-value.ts';

/** An item of a model list; `key` is its name if the list is a table by ID. */
export interface ListedModel {
  item: unknown;
  key?: string;
}

const wrappers = ['data', 'models', 'items', 'results', 'list', 'model_list', 'records', 'entries'];
const outerWrappers = ['response', 'result', 'body', 'payload', 'output', 'value', 'values'];
const maxDepth = 4;

/**
 * Finds the models in a response of any shape (§2.8 does not define it): a list, a table by ID, with wrappers, in
 * groups, or a single model.
 */
export function findModelItems(value: unknown, depth = 0): ListedModel[] | undefined {
  if (depth > maxDepth) return undefined;
  if (Array.isArray(value)) return value.flatMap((item: unknown) => findItems(item, depth + 1));
  if (!isRecord(value)) return undefined;
  let emptyList: ListedModel[] | undefined;
  for (const name of [...wrappers, ...outerWrappers]) {
    const inner = getOwnProperty(value, name);
    const isTable = emptyList === undefined && wrappers.includes(name);
    const list = findModelItems(inner, depth + 1) ?? (isTable ? toTableItems(inner) : undefined);
    if (list !== undefined && list.length > 0) return list;
    // Some gateways send two lists and fill only one.
    emptyList ??= list;
  }
  if (emptyList) return emptyList;
  if (isModel(value)) return [{ item: value }];
  const members = Object.entries(value);
  const tables = members.filter(([, member]) => isRecord(member) || (depth > 0 && member === null));
  const modelMembers = tables.filter(([, member]) => isModel(member));
  // If the members have no name of their own, the object is a table by ID.
  const isTableById = modelMembers.length > 0 && !modelMembers.some(([, member]) => hasName(member));
  if (
    isTableById ||
    (modelMembers.length > 0 && tables.every(([, member]) => member === null || isModel(member)))
  )
    return tables.map(([key, item]) => ({ item: item ?? {}, key }));
  const lists = members.flatMap(([, member]) =>
    Array.isArray(member) && member.some((item) => isModelItem(item, depth)) ? [member] : [],
  );
  if (lists.length > 0) return lists.flatMap((list) => findModelItems(list, depth + 1) ?? []);
  for (const [, member] of tables) {
    const list = findModelItems(member, depth + 1);
    if (list) return list;
  }
  return undefined;
}

/** Returns the item, or the models inside a group, page or wrapper. */
function findItems(item: unknown, depth: number): ListedModel[] {
  if (Array.isArray(item)) return findModelItems(item, depth) ?? [];
  if (!isRecord(item) || isModel(item) || depth > maxDepth) return [{ item }];
  const group = wrappers
    .map((name) => getOwnProperty(item, name))
    .find((list) => Array.isArray(list) && list.some((entry) => isModelItem(entry, depth + 1)));
  if (group !== undefined) return findModelItems(group, depth) ?? [];
  const innerRecords = Object.values(item).filter(isRecord);
  return innerRecords.length === 1 && !hasName(item) ? findItems(innerRecords[0], depth + 1) : [{ item }];
}

function hasName(value: unknown): boolean {
  return ['id', 'name', 'model', 'slug', 'model_id', 'model_name'].some(
    (name) => getStringProperty(value, name) !== undefined,
  );
}

/** Under a name for lists, an object is a table by ID whatever its members contain. */
function toTableItems(value: unknown): ListedModel[] | undefined {
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
    getStringProperty(value, 'object') === 'model' ||
    modelFields.some((field) => getOwnProperty(value, field) !== undefined)
  );
}

function isModelItem(item: unknown, depth = 0): boolean {
  if (typeof item === 'string') return /^\S+$/.test(item);
  if (isModel(item) || getStringProperty(item, 'id') !== undefined) return true;
  return findItems(item, depth + 1).some(
    (inner) => inner.item !== item && isModelItem(inner.item, depth + 1),
  );
}

/** Matches names in all usual forms: `next_page_token`, `nextPageToken`, `@odata.nextLink`. */
const nextNames =
  /^(?:odata)?next(?:page)?(?:url|uri|link|href|cursor|token|offset|id)?$|^continuation(?:token)?$/;
const moreNames = /^(?:has)?more$|^hasnext(?:page)?$|^(?:is)?truncated$/;
const lastNames = /^(?:is)?last(?:page)?$/;
const totalNames = /^(?:total|count|total(?:count|items|results|models|elements))$/;
const pagesNames = /^(?:totalpages?|pagecount|numpages|pages|lastpage)$/;
const pageNames = /^(?:page|currentpage|pagenumber|pageno)$/;
const pagingNames = /^(?:links|paging|pagination|page(?:info)?|meta(?:data)?|cursors|data|result)$/;

/** Returns true if a response with this many models reports more pages. */
export function hasMorePages(value: unknown, modelCount: number, headers: Record<string, string>): boolean {
  return /rel="?next\b/i.test(headers['link'] ?? '') || hasMoreFields(value, modelCount, 0);
}

function hasMoreFields(value: unknown, modelCount: number, depth: number): boolean {
  if (!isRecord(value) || depth > 2) return false;
  const members = Object.entries(value).map(
    ([key, member]) => [key.toLowerCase().replaceAll(/[^a-z]/g, ''), member] as const,
  );
  const page = members.find(([name, member]) => pageNames.test(name) && typeof member === 'number')?.[1];
  return members.some(([name, member]) => {
    if (nextNames.test(name)) return !isBlankValue(member);
    if (moreNames.test(name)) return member === true || member === 1;
    if (lastNames.test(name) && member === false) return true;
    if (totalNames.test(name)) return typeof member === 'number' && member > modelCount;
    if (pagesNames.test(name) && typeof member === 'number') return member > (Number(page) || 1);
    return pagingNames.test(name) && hasMoreFields(member, modelCount, depth + 1);
  });
}
