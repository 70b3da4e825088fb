/** The embeddings part of the check: §2.6, §2.7. */
import { pluralize } from '../../lib/format.ts';
import { isRecord, getOwnProperty } from '../../lib/json.ts';
import { trimEndChars } from '../../lib/text/trim.ts';
import { errorShape } from './conformance-body.ts';
import type { CheckAnswer, CheckCalls, CheckRow } from './conformance-check-call.ts';
import { fieldProblems, integerField, isInteger, listed, shown, stringField } from './conformance-values.ts';

const about = 'Embeddings';

/** So many requests for embeddings are sent. */
export const embeddingRequests = 3;

export async function embeddingRows({ call }: CheckCalls, model: string): Promise<CheckRow[]> {
  const ask = (input: string[], fields: object = {}) =>
    call('/v1/embeddings', { body: JSON.stringify({ model, input, ...fields }) });
  const several = await ask(['one', 'two', 'three']);
  const rows = severalRows(several);
  if (several.status !== 200) return rows;
  return [
    ...rows,
    base64Row(await ask(['one'], { encoding_format: 'base64' }), several),
    emptyRow(await ask([])),
  ];
}

function severalRows(answer: CheckAnswer): CheckRow[] {
  const row = (title: string, section: string, verdict: CheckRow['verdict'], detail: string): CheckRow => ({
    about,
    title,
    section,
    verdict,
    detail,
  });
  if (answer.status !== 200) {
    const { detail } = errorShape(answer.text, answer.value, answer.status);
    return [row('Answer', '§4', 'fault', `Status ${answer.status}. ${detail}`)];
  }
  const data = getOwnProperty(answer.value, 'data');
  const items = Array.isArray(data) ? data.map((item: unknown) => item) : [];
  const wrong = listed([
    ...(getOwnProperty(answer.value, 'object') === 'list' ? [] : ['object is not "list"']),
    ...fieldProblems(answer.value, [stringField('model')]),
    ...items.flatMap((item) => [
      ...(getOwnProperty(item, 'object') === 'embedding' ? [] : ['data[].object is not "embedding"']),
      ...fieldProblems(item, [integerField('index')], 'data[].'),
    ]),
  ]);
  const lengths = new Set(items.map((item) => lengthOf(getOwnProperty(item, 'embedding'))));
  const indexes = items
    .map((item) => getOwnProperty(item, 'index'))
    .toSorted((one, other) => Number(one) - Number(other));
  const isWhole =
    items.length === 3 && lengths.size === 1 && !lengths.has(undefined) && String(indexes) === '0,1,2';
  const usage = fieldProblems(
    getOwnProperty(answer.value, 'usage'),
    ['prompt_tokens', 'total_tokens'].map(integerField),
    'usage.',
  );
  return [
    row(
      'Fields and their types',
      '§2.7',
      wrong === '' ? 'pass' : 'fault',
      wrong === '' ? 'All as described.' : `${wrong}.`,
    ),
    isWhole
      ? row(
          'One vector per text',
          '§2.7',
          'pass',
          `3 vectors of ${pluralize([...lengths][0] ?? 0, 'number')}.`,
        )
      : row(
          'One vector per text',
          '§2.7',
          'fault',
          `3 texts gave ${pluralize(items.length, 'item')}, indexes ${shown(indexes)}.`,
        ),
    row(
      'Token usage',
      '§2.7',
      usage.length === 0 ? 'pass' : 'fault',
      usage.length === 0 ? 'Both counts present.' : `${listed(usage)}.`,
    ),
  ];
}

/** Of an array of numbers; undefined for everything else. */
function lengthOf(value: unknown): number | undefined {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number')
    ? value.length
    : undefined;
}

function firstVector(answer: CheckAnswer): unknown {
  const data = getOwnProperty(answer.value, 'data');
  const items = Array.isArray(data) ? data.map((item: unknown) => item) : [];
  const first = items.find(
    (item) =>
      getOwnProperty(item, 'index') === 0 || isInteger(getOwnProperty(item, 'index')) || isRecord(item),
  );
  return getOwnProperty(first, 'embedding');
}

function base64Row(answer: CheckAnswer, float: CheckAnswer): CheckRow {
  const row = (verdict: CheckRow['verdict'], detail: string): CheckRow => ({
    about,
    title: 'encoding_format base64',
    section: '§2.7',
    verdict,
    detail,
  });
  if (answer.status !== 200)
    return row('fault', `Rejected with status ${answer.status}, although the specification includes it.`);
  const vector = firstVector(answer);
  if (typeof vector !== 'string') return row('fault', 'The vector is a list of numbers, not base64.');
  const bytes = /^[A-Za-z0-9+/]+={0,2}$/.test(vector)
    ? Math.floor((trimEndChars(vector, '=').length * 3) / 4)
    : 0;
  const wanted = lengthOf(firstVector(float)) ?? 0;
  if (bytes === wanted * 4) return row('pass', `${pluralize(wanted, 'number')} of 4 bytes.`);
  return row('note', `${pluralize(bytes, 'byte')}; expected ${pluralize(wanted, 'number')} of 4 bytes each.`);
}

function emptyRow(answer: CheckAnswer): CheckRow {
  const row = (verdict: CheckRow['verdict'], detail: string): CheckRow => ({
    about,
    title: 'Empty input',
    section: '§2.6',
    verdict,
    detail,
  });
  if (answer.status < 400) return row('note', 'Accepted, although input must not be empty.');
  return row('pass', `Rejected with status ${answer.status}.`);
}
