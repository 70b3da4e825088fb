import { describe, expect, it } from 'vitest';

import {
  migrateDraftParts,
  buildDraftWrites,
  emptyDraft,
  mergeDraftRecords,
  readDraft,
  withEdit,
  mergeTypedText,
  findRememberedResult,
  withRememberedResult,
} from './draft.ts';

const file = { type: 'text', text: 'File: a', file: { name: 'a', bytes: 1 } } as const;
const image = { url: `bench-image:${'a'.repeat(64)}`, name: 'a.png', bytes: 8, width: 2, height: 1 };

describe('session draft', () => {
  it.each([
    ['stored text if nothing was typed', 'stored', '', 'stored'],
    ['both texts if typing started before loading finished', 'stored', 'typed', 'stored\ntyped'],
    ['typed text if nothing is stored', '', 'typed', 'typed'],
    ['a single copy if both are equal', 'same', 'same', 'same'],
  ])('merges typed text with stored text that loads late: %s', (_, stored, typed, expected) => {
    expect(mergeTypedText(stored, typed)).toBe(expected);
  });

  it('returns an empty draft for an unreadable record', () => {
    for (const raw of [undefined, null, 7, 'text', [], { text: 1, images: '[', edits: [], view: 'blind' }])
      expect(readDraft(raw), JSON.stringify(raw)).toEqual(emptyDraft);
  });

  it('keeps the readable parts of every field', () => {
    const raw = {
      sessionId: 's',
      text: 'half',
      pasted: ['one', 2, null, ['x'], 'two'],
      files: [file, { type: 'text', text: 'no file' }, 7],
      images: [{ url: 1 }, { ...image, bytes: -1 }, image],
      edits: {
        one: { text: 'kept', name: 7, files: [file, 1], images: [image, 'x'] },
        two: { text: 1 },
        three: 'x',
      },
      view: { notTo: ['lane', 7], namesHidden: 1, author: 'Ada' },
      results: JSON.parse('{"p":{"a":{"text":5},"b":{"text":"kept"},"__proto__":{"text":"own"}},"q":7}'),
    };
    const draft = readDraft(raw);
    expect(draft).toEqual({
      text: 'half',
      pasted: ['one', 'two'],
      files: [file],
      images: [image],
      edits: {
        one: { text: 'kept', name: '', toolCallId: '', toolCalls: '', files: [file], images: [image] },
      },
      view: { notTo: ['lane'], namesHidden: false, author: 'Ada' },
      results: { p: JSON.parse('{"b":{"text":"kept"},"__proto__":{"text":"own"}}'), q: {} },
      answering: { remembered: {}, isAutomatic: false },
    });
    expect(Object.getPrototypeOf(draft.results['p'])).toBe(Object.prototype);
  });
});

describe('draft record', () => {
  const computeWrites = (raw: Record<string, unknown>, change: Partial<typeof emptyDraft>) => {
    const draft = readDraft(raw);
    return buildDraftWrites('s', raw, draft, { ...draft, ...change }).writes;
  };

  it('stores only non-empty fields and deletes the record with its last field', () => {
    const record = { sessionId: 's', text: 'half' };
    expect(computeWrites({}, { text: 'half' })).toEqual([{ store: 'drafts', put: record }]);
    expect(computeWrites(record, { images: [image] })).toEqual([
      { store: 'drafts', put: { ...record, images: [image] } },
    ]);
    expect(computeWrites({ ...record, images: [image] }, { text: '' })).toEqual([
      { store: 'drafts', put: { sessionId: 's', images: [image] } },
    ]);
    expect(computeWrites(record, { text: '' })).toEqual([{ store: 'drafts', remove: 's' }]);
  });

  it('stores long pasted texts and files in a separate record', () => {
    const pastedRecord = { sessionId: 's pasted', pasted: ['long'] };
    const raw = mergeDraftRecords({ sessionId: 's', text: 'half' }, pastedRecord);
    expect(readDraft(raw)).toMatchObject({ text: 'half', pasted: ['long'] });
    expect(computeWrites(raw, { text: 'half a' })).toEqual([
      { store: 'drafts', put: { sessionId: 's', text: 'half a' } },
    ]);
    expect(computeWrites({ text: 'half' }, { pasted: ['long'] })).toEqual([
      { store: 'drafts', put: pastedRecord },
    ]);
    expect(computeWrites(raw, { text: '', pasted: [] })).toEqual([
      { store: 'drafts', remove: 's' },
      { store: 'drafts', remove: 's pasted' },
    ]);
    expect(mergeDraftRecords(undefined, 'damaged')).toEqual({});
    expect(computeWrites(raw, { files: [file] })).toEqual([
      { store: 'drafts', put: { ...pastedRecord, files: [file] } },
    ]);
  });

  it('writes nothing if nothing changed', () => {
    const raw = { sessionId: 's', view: { notTo: ['a'], namesHidden: true, author: '' } };
    expect(computeWrites(raw, { view: { notTo: ['a'], namesHidden: true, author: '' }, text: '' })).toEqual(
      [],
    );
  });

  it('keeps unknown and unreadable fields until they are overwritten', () => {
    const raw = { sessionId: 's', images: '[{"cut', newer: { of: 'a newer Bench' } };
    expect(computeWrites(raw, { text: 'typed' })).toEqual([
      { store: 'drafts', put: { ...raw, text: 'typed' } },
    ]);
    expect(computeWrites(raw, { images: [image] })).toMatchObject([{ put: { ...raw, images: [image] } }]);
  });

  it('stores the content of several message editors by key', () => {
    const typedEdit = { text: 'typed', name: '', toolCallId: '', toolCalls: '' };
    const twoEdits = withEdit(withEdit(emptyDraft, 'one', typedEdit), 'two', { ...typedEdit, images: [] });
    expect(twoEdits.edits).toEqual({ one: typedEdit, two: { ...typedEdit, images: [] } });
    expect(withEdit(withEdit(twoEdits, 'one', undefined), 'two', undefined).edits).toEqual({});
  });
});

describe('migration of draft parts', () => {
  const editFields = { text: 'w', name: 'ada', toolCallId: '', toolCalls: '' };
  const view = { notTo: ['lane'], namesHidden: true, author: 'Ada' };
  const results = { p: { key: { text: 'cold', isError: true } } };

  it('merges the parts of a session into one record', () => {
    const edits = {
      one: { ...editFields, images: '' },
      two: { ...editFields, images: JSON.stringify([image]) },
      three: { ...editFields, images: '[]' },
    };
    const drafts = migrateDraftParts([
      { sessionId: 's', text: 'half' },
      { sessionId: 's edits', text: JSON.stringify(edits) },
      { sessionId: 's images', text: JSON.stringify([image]) },
      { sessionId: 's pasted', text: '["one","two"]' },
      { sessionId: 's results', text: JSON.stringify(results) },
      { sessionId: 's view', text: JSON.stringify(view) },
      { sessionId: 't view', text: JSON.stringify(view) },
    ]);
    expect(drafts.map(({ sessionId }) => sessionId)).toEqual(['s', 's pasted', 't']);
    const [session, pasted, otherDraft] = drafts;
    expect([readDraft(mergeDraftRecords(session, pasted)), readDraft(otherDraft)]).toEqual([
      {
        text: 'half',
        pasted: ['one', 'two'],
        files: [],
        images: [image],
        edits: {
          one: editFields,
          two: { ...editFields, images: [image] },
          three: { ...editFields, images: [] },
        },
        view,
        results,
        answering: { remembered: {}, isAutomatic: false },
      },
      { ...emptyDraft, view },
    ]);
  });

  it('keeps unreadable parts unchanged', () => {
    expect(
      migrateDraftParts([
        { sessionId: 's images', text: '[{"cut' },
        { sessionId: 's', text: 7 },
      ]),
    ).toEqual([{ sessionId: 's', images: '[{"cut', text: 7 }]);
  });
});

describe('remembered tool results', () => {
  const oslo = { name: 'get_weather', arguments: '{"city":"Oslo"}' };
  const tokyo = { name: 'get_weather', arguments: '{"city":"Tokyo"}' };
  const snow = { text: 'snow' };
  const remember = (call: typeof oslo, scope: 'function' | 'arguments', draft = emptyDraft) =>
    withRememberedResult(draft, call, { scope, result: snow });
  const find = (draft: typeof emptyDraft, call: typeof oslo) =>
    findRememberedResult(draft.answering.remembered, call);

  it('are reused for every call of the function', () => {
    expect(find(remember(oslo, 'function'), tokyo)).toEqual({ scope: 'function', result: snow });
  });

  it('are reused only for equal arguments if the user chose that, and are removed with either scope', () => {
    const draft = remember(oslo, 'arguments', remember(oslo, 'function'));
    expect(find(draft, oslo)).toEqual({ scope: 'arguments', result: snow });
    expect(find(draft, tokyo)).toBeUndefined();
    expect(withRememberedResult(draft, oslo, undefined)).toEqual(emptyDraft);
  });
});
