/** Reads the sources of an answer: URLs, with titles if given. */
import { isRecord, getOwnProperty, getStringProperty } from '../../lib/json.ts';
import { isBlankValue } from '../errors/error-value.ts';

export interface Source {
  url: string;
  title?: string;
}

export const sourceFields = ['annotations', 'citations', 'search_results'] as const;

const addressFields = ['url', 'link', 'uri', 'href'];
/** Maximum number of sources kept. */
const maxSources = 200;

/** Finds the sources in a chunk, a candidate or its message; `unread` lists items without a URL. */
export function findSources(value: Record<string, unknown>): {
  sources: Source[];
  unread: { field: string; item: unknown }[];
} {
  const sources: Source[] = [];
  const unread: { field: string; item: unknown }[] = [];
  for (const field of sourceFields) {
    const list = getOwnProperty(value, field);
    const items: readonly unknown[] = Array.isArray(list) ? list : isBlankValue(list) ? [] : [list];
    for (const item of items.slice(0, maxSources)) {
      const source = readSource(item);
      if (source) sources.push(source);
      else if (!isBlankValue(item)) unread.push({ field, item });
    }
  }
  return { sources, unread };
}

function readSource(item: unknown): Source | undefined {
  if (typeof item === 'string') return item.trim() === '' ? undefined : { url: item.trim() };
  if (!isRecord(item)) return undefined;
  const url = addressFields.map((field) => getStringProperty(item, field)?.trim()).find(Boolean);
  if (url !== undefined) {
    const title = (getStringProperty(item, 'title') ?? getStringProperty(item, 'name'))?.trim();
    return title ? { url, title } : { url };
  }
  // An annotation has its URL under the name of its type.
  return ['url_citation', 'web', 'source']
    .map((field) => getOwnProperty(item, field))
    .filter(isRecord)
    .map(readSource)
    .find((source) => source !== undefined);
}

/** Adds new sources and later titles; returns the same list if nothing is new. */
export function mergeSources(
  previous: readonly Source[] | undefined,
  additions: readonly Source[],
): readonly Source[] {
  const byUrl = new Map((previous ?? []).map((source) => [source.url, source]));
  let isChanged = false;
  for (const source of additions) {
    const existing = byUrl.get(source.url);
    const isNew = existing === undefined ? byUrl.size < maxSources : !existing.title && Boolean(source.title);
    if (!isNew) continue;
    byUrl.set(source.url, source);
    isChanged = true;
  }
  return previous && !isChanged ? previous : [...byUrl.values()];
}
