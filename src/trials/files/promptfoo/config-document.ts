/** Parses the YAML or JSON of a configuration as plain data: no tags, one document, limited aliases and depth. */
import { isScalar, parseAllDocuments, visit, type Document } from 'yaml';

import { formatError } from '../../../lib/format-error.ts';
import { isDeeperThan, parseJson, type Json } from '../../../lib/json.ts';
import { sanitizeForSentence } from '../../../lib/text/safe-text.ts';

/** Parsing YAML takes at least 100 bytes of memory per byte. JSON has the limit of all files. */
const maxYamlChars = 5_000_000;
/** Limit of the product of uses and size of anchors, against documents that expand to gigabytes. */
const maxAliasCount = 1_000;
/** Resolving an alias takes time that grows with the size of the document. */
const maxAliases = 1_000;
const maxDepth = 64;
const maxReasonChars = 200;

export type DocumentResult = { ok: true; value: unknown } | { ok: false; reason: string };

/** Parses YAML, and JSON of any size. Never throws. */
export function parseConfigDocument(source: string): DocumentResult {
  const text = source.replace(/^\uFEFF/, '');
  if (text.includes('\0')) return createFailure('it is not text');
  const result = text.length > maxYamlChars ? parseLargeJson(text) : parseYaml(text);
  if (result.ok && isDeeperThan(maxDepth, result.value))
    return createFailure(`it is nested more than ${maxDepth} levels deep`);
  return result;
}

function createFailure(reason: string): DocumentResult {
  return { ok: false, reason };
}

function parseLargeJson(text: string): DocumentResult {
  const parsed = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  if (parsed?.ok) return parsed;
  return createFailure('YAML may be up to 5 MB, so move its tests to a CSV or JSON Lines file');
}

function parseYaml(text: string): DocumentResult {
  try {
    // The check of the library takes seconds for a map with 20,000 keys.
    const documents = parseAllDocuments(text, {
      merge: true,
      resolveKnownTags: false,
      uniqueKeys: false,
      logLevel: 'silent',
    });
    const [document] = documents;
    if (!document) return createFailure('it is empty');
    const [error] = document.errors;
    if (error) return createFailure(describeYamlError(error));
    const [warning] = document.warnings;
    if (warning) return createFailure(describeYamlError(warning));
    if (documents.length > 1) return createFailure('it has several YAML documents');
    const problem = findProblem(document);
    if (problem !== undefined) return createFailure(problem);
    const value: unknown = document.toJS({ maxAliasCount });
    return { ok: true, value };
  } catch (error) {
    return createFailure(describeYamlError(error));
  }
}

/** Returns what is wrong with the maps and aliases of a document. Merge keys may occur several times in a map. */
function findProblem(document: Document): string | undefined {
  let problem: string | undefined;
  let aliasCount = 0;
  visit(document, {
    Alias: () => {
      aliasCount += 1;
      if (aliasCount > maxAliases) problem = `it has more than ${maxAliases} aliases`;
      return problem === undefined ? undefined : visit.BREAK;
    },
    Map: (_, { items }) => {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        const value = isScalar(key) ? key.value : undefined;
        if (typeof value === 'string' && value !== '<<' && keys.has(value))
          problem = `“${sanitizeForSentence(value, 40)}” is set twice in one map`;
        keys.add(value);
      }
      return problem === undefined ? undefined : visit.BREAK;
    },
  });
  return problem;
}

/** Returns the first line, without the quoted source below it. */
function describeYamlError(error: unknown): string {
  const [firstLine = ''] = formatError(error).split('\n');
  if (firstLine.includes('call stack')) return 'it is nested too deeply';
  return firstLine.replace(/[:.\s]+$/, '').slice(0, maxReasonChars);
}

/** Returns a value of a configuration as JSON, with null for parts that JSON does not have. */
export function toJson(value: unknown): Json {
  const parsed = parseJson(JSON.stringify(value) ?? 'null');
  return parsed.ok ? parsed.value : null;
}
