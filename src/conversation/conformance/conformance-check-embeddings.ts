/** Embeddings part of the check (§2.6, §2.7). */
import { pluralize } from '../../lib/format.ts';
import { isRecord, getOwnProperty } from '../../lib/json.ts';
import { trimEndChars } from '../../lib/text/trim.ts';
import { checkErrorShape } from './conformance-body.ts';
import type { CheckResponse, CheckClient, CheckRow } from './conformance-check-client.ts';
import {
  findFieldProblems,
  createIntegerRule,
  isInteger,
  joinWithLimit,
  formatShort,
  createStringRule,
} from './conformance-values.ts';

const about = 'Embeddings';

/** Number of embeddings requests that a check sends. */
export const embeddingRequestCount = 3;

export async function checkEmbeddings({ call }: CheckClient, model: string): Promise<CheckRow[]> {
  const requestEmbeddings = (input: string[], fields: object = {}) =>
    call('/v1/embeddings', { body: JSON.stringify({ model, input, ...fields }) });
  const batchResponse = await requestEmbeddings(['one', 'two', 'three']);
  const rows = checkBatch(batchResponse);
  if (batchResponse.status !== 200) return rows;
  return [
    ...rows,
    checkBase64(await requestEmbeddings(['one'], { encoding_format: 'base64' }), batchResponse),
    checkEmptyInput(await requestEmbeddings([])),
  ];
}

function checkBatch(response: CheckResponse): CheckRow[] {
  const createRow = (
    title: string,
    section: string,
    verdict: CheckRow['verdict'],
    detail: string,
  ): CheckRow => ({
    about,
    title,
    section,
    verdict,
    detail,
  });
  if (response.status !== 200) {
    const { detail } = checkErrorShape(response.text, response.value, response.status);
    return [createRow('Response', '§4', 'fault', `Status ${response.status}. ${detail}`)];
  }
  const data = getOwnProperty(response.value, 'data');
  const items = Array.isArray(data) ? data.map((item: unknown) => item) : [];
  const problems = joinWithLimit([
    ...(getOwnProperty(response.value, 'object') === 'list' ? [] : ['object is not "list"']),
    ...findFieldProblems(response.value, [createStringRule('model')]),
    ...items.flatMap((item) => [
      ...(getOwnProperty(item, 'object') === 'embedding' ? [] : ['data[].object is not "embedding"']),
      ...findFieldProblems(item, [createIntegerRule('index')], 'data[].'),
    ]),
  ]);
  const lengths = new Set(items.map((item) => getVectorLength(getOwnProperty(item, 'embedding'))));
  const indexes = items
    .map((item) => getOwnProperty(item, 'index'))
    .toSorted((a, b) => Number(a) - Number(b));
  const isComplete =
    items.length === 3 && lengths.size === 1 && !lengths.has(undefined) && String(indexes) === '0,1,2';
  const usageFaults = findFieldProblems(
    getOwnProperty(response.value, 'usage'),
    ['prompt_tokens', 'total_tokens'].map(createIntegerRule),
    'usage.',
  );
  return [
    createRow(
      'Fields and their types',
      '§2.7',
      problems === '' ? 'pass' : 'fault',
      problems === '' ? 'All as described.' : `${problems}.`,
    ),
    isComplete
      ? createRow(
          'One vector per text',
          '§2.7',
          'pass',
          `3 vectors of ${pluralize([...lengths][0] ?? 0, 'number')}.`,
        )
      : createRow(
          'One vector per text',
          '§2.7',
          'fault',
          `3 texts returned ${pluralize(items.length, 'item')} with indexes ${formatShort(indexes)}.`,
        ),
    createRow(
      'Token usage',
      '§2.7',
      usageFaults.length === 0 ? 'pass' : 'fault',
      usageFaults.length === 0 ? 'Both counts present.' : `${joinWithLimit(usageFaults)}.`,
    ),
  ];
}

/** Returns the length of a non-empty array of numbers, `undefined` for any other value. */
function getVectorLength(value: unknown): number | undefined {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number')
    ? value.length
    : undefined;
}

function getFirstVector(response: CheckResponse): unknown {
  const data = getOwnProperty(response.value, 'data');
  const items = Array.isArray(data) ? data.map((item: unknown) => item) : [];
  const first = items.find(
    (item) =>
      getOwnProperty(item, 'index') === 0 || isInteger(getOwnProperty(item, 'index')) || isRecord(item),
  );
  return getOwnProperty(first, 'embedding');
}

function checkBase64(response: CheckResponse, floatResponse: CheckResponse): CheckRow {
  const createRow = (verdict: CheckRow['verdict'], detail: string): CheckRow => ({
    about,
    title: 'encoding_format base64',
    section: '§2.7',
    verdict,
    detail,
  });
  if (response.status !== 200)
    return createRow(
      'fault',
      `Rejected with status ${response.status}, although the specification defines it.`,
    );
  const vector = getFirstVector(response);
  if (typeof vector !== 'string') return createRow('fault', 'The vector is an array of numbers, not base64.');
  const bytes = /^[A-Za-z0-9+/]+={0,2}$/.test(vector)
    ? Math.floor((trimEndChars(vector, '=').length * 3) / 4)
    : 0;
  const expectedLength = getVectorLength(getFirstVector(floatResponse)) ?? 0;
  if (bytes === expectedLength * 4)
    return createRow('pass', `${pluralize(expectedLength, 'number')} of 4 bytes.`);
  return createRow(
    'note',
    `${pluralize(bytes, 'byte')}; expected ${pluralize(expectedLength, 'number')} of 4 bytes each.`,
  );
}

function checkEmptyInput(response: CheckResponse): CheckRow {
  const createRow = (verdict: CheckRow['verdict'], detail: string): CheckRow => ({
    about,
    title: 'Empty input',
    section: '§2.6',
    verdict,
    detail,
  });
  if (response.status < 400) return createRow('note', 'Accepted, although input must not be empty.');
  return createRow('pass', `Rejected with status ${response.status}.`);
}
