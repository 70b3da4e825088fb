import { isRecord, ownProperty, stringProperty } from '../../lib/json.ts';
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
  if (Array.isArray(value)) return value.flatMap((item: unknown) => itemsIn(item, depth + 1));
  if (!isRecord(value)) return undefined;
  let empty: ListedModel[] | undefined;
  for (const name of [...wrappers, ...outerWrappers]) {
    const inner = ownProperty(value, name);
    const isTable = empty === undefined && wrappers.includes(name);
    const list = modelsIn(inner, depth + 1) ?? (isTable ? tableOf(inner) : undefined);
    if (list !== undefined && list.length > 0) return list;
    // Some send two lists beside each other, and fill only one.
    empty ??= list;
  }
  if (empty) return empty;
  if (isModel(value)) return [{ item: value }];
  const members = Object.entries(value);
  const tables = members.filter(([, member]) => isRecord(member) || (depth > 0 && member === null));
  const found = tables.filter(([, member]) => isModel(member));
  // Where they have no names of their own it is a table by id, whatever it says of the others.
  const isById = found.length > 0 && !found.some(([, member]) => isNamed(member));
  if (isById || (found.length > 0 && tables.every(([, member]) => member === null || isModel(member))))
    return tables.map(([key, item]) => ({ item: item ?? {}, key }));
  const lists = members.flatMap(([, member]) =>
    Array.isArray(member) && member.some((item) => isListed(item, depth)) ? [member] : [],
  );
  if (lists.length > 0) return lists.flatMap((list) => modelsIn(list, depth + 1) ?? []);
  for (const [, member] of tables) {
    const list = modelsIn(member, depth + 1);
    if (list) return list;
  }
  return undefined;
}

/** What an item of a list holds: itself, or where it is a group, a page or a shell the models in it. */
function itemsIn(item: unknown, depth: number): ListedModel[] {
  if (Array.isArray(item)) return modelsIn(item, depth) ?? [];
  if (!isRecord(item) || isModel(item) || depth > deepest) return [{ item }];
  const group = wrappers
    .map((name) => ownProperty(item, name))
    .find((list) => Array.isArray(list) && list.some((one) => isListed(one, depth + 1)));
  if (group !== undefined) return modelsIn(group, depth) ?? [];
  const shells = Object.values(item).filter(isRecord);
  return shells.length === 1 && !isNamed(item) ? itemsIn(shells[0], depth + 1) : [{ item }];
}

function isNamed(value: unknown): boolean {
  return ['id', 'name', 'model', 'slug', 'model_id', 'model_name'].some(
    (name) => stringProperty(value, name) !== undefined,
  );
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

function isListed(item: unknown, depth = 0): boolean {
  if (typeof item === 'string') return /^\S+$/.test(item);
  if (isModel(item) || stringProperty(item, 'id') !== undefined) return true;
  return itemsIn(item, depth + 1).some((found) => found.item !== item && isListed(found.item, depth + 1));
}

/** Names as they are written in any of the usual ways: `next_page_token`, `nextPageToken`, `@odata.nextLink`. */
const nextNames =
  /^(?:odata)?next(?:page)?(?:url|uri|link|href|cursor|token|offset|id)?$|^continuation(?:token)?$/;
const moreNames = /^(?:has)?more$|^hasnext(?:page)?$|^(?:is)?truncated$/;
const lastNames = /^(?:is)?last(?:page)?$/;
const totalNames = /^(?:total|count|total(?:count|items|results|models|elements))$/;
const pagesNames = /^(?:totalpages?|pagecount|numpages|pages|lastpage)$/;
const pageNames = /^(?:page|currentpage|pagenumber|pageno)$/;
const pagingNames = /^(?:links|paging|pagination|page(?:info)?|meta(?:data)?|cursors|data|result)$/;

/** True where an answer with so many models says that there are more on further pages. */
export function hasMorePages(value: unknown, models: number, headers: Record<string, string>): boolean {
  return /rel="?next\b/i.test(headers['link'] ?? '') || saysMore(value, models, 0);
}

function saysMore(value: unknown, models: number, depth: number): boolean {
  if (!isRecord(value) || depth > 2) return false;
  const members = Object.entries(value).map(
    ([key, member]) => [key.toLowerCase().replaceAll(/[^a-z]/g, ''), member] as const,
  );
  const page = members.find(([name, member]) => pageNames.test(name) && typeof member === 'number')?.[1];
  return members.some(([name, member]) => {
    if (nextNames.test(name)) return !isEmpty(member);
    if (moreNames.test(name)) return member === true || member === 1;
    if (lastNames.test(name) && member === false) return true;
    if (totalNames.test(name)) return typeof member === 'number' && member > models;
    if (pagesNames.test(name) && typeof member === 'number') return member > (Number(page) || 1);
    return pagingNames.test(name) && saysMore(member, models, depth + 1);
  });
}
