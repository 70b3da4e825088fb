import { describe, expect, it } from 'vitest';

import { memoryRecordStore } from '../../storage/memory-store.ts';
import { createRecorder } from '../runs/recorder.ts';
import { createToolDrafts, toolDraftsId } from './tool-drafts.ts';

function aStore() {
  const records = memoryRecordStore();
  const recorder = createRecorder(records, () => 0);
  return { records, recorder, drafts: createToolDrafts(records, recorder) };
}

describe('results as they are typed', () => {
  it('come back on the next page, each at its call', async () => {
    const { records, recorder, drafts } = aStore();
    drafts.write('s', 'p', 'weather', { text: '{"temp' });
    drafts.write('s', 'p', 'weather', { text: '{"temperature": 18}' });
    drafts.write('s', 'p', 'time', { text: 'broken', isError: true });
    drafts.write('other', 'p', 'weather', { text: 'elsewhere' });
    await recorder.flush();
    const next = createToolDrafts(
      records,
      createRecorder(records, () => 0),
    );
    await next.load('s');
    expect(next.state.getState().written).toEqual({
      s: { p: { weather: { text: '{"temperature": 18}' }, time: { text: 'broken', isError: true } } },
    });
  });

  it('that are typed before the disk answers are newer, and the others come along', async () => {
    const { records, recorder, drafts } = aStore();
    drafts.write('s', 'p', 'weather', { text: 'old' });
    drafts.write('s', 'p', 'time', { text: 'old' });
    await recorder.flush();
    const next = createToolDrafts(
      records,
      createRecorder(records, () => 0),
    );
    const loading = next.load('s');
    next.write('s', 'p', 'weather', { text: 'new' });
    await loading;
    expect(next.state.getState().written['s']?.['p']).toEqual({
      weather: { text: 'new' },
      time: { text: 'old' },
    });
    await next.load('s');
    expect(next.state.getState().written['s']?.['p']?.['weather']).toEqual({ text: 'new' });
  });

  it('survive a damaged record', async () => {
    const { records, drafts } = aStore();
    const text = '{"p":{"a":{"text":5},"b":{"text":"kept"},"__proto__":{"text":"own"}},"q":7}';
    await records.write([{ store: 'drafts', put: { sessionId: toolDraftsId('s'), text } }]);
    await drafts.load('s');
    const row = drafts.state.getState().written['s']?.['p'] ?? {};
    expect(Object.keys(row)).toEqual(['b', '__proto__']);
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
  });

  it('replace nothing that could not be read when they were typed', async () => {
    const { records, recorder, drafts } = aStore();
    await drafts.load('s');
    drafts.write('s', 'p', 'time', { text: 'stored' });
    await recorder.flush();
    let isBroken = true;
    const flaky = {
      ...records,
      draft: (id: string) => (isBroken ? Promise.reject(new Error('gone')) : records.draft(id)),
    };
    const later = createRecorder(flaky, () => 0);
    const next = createToolDrafts(flaky, later);
    await expect(next.load('s')).rejects.toThrow('gone');
    next.write('s', 'p', 'weather', { text: 'typed' });
    await later.flush();
    expect(await records.draft(toolDraftsId('s'))).toMatchObject({
      text: JSON.stringify({ p: { time: { text: 'stored' } } }),
    });
    isBroken = false;
    await next.load('s');
    await later.flush();
    const all = { time: { text: 'stored' }, weather: { text: 'typed' } };
    expect(next.state.getState().written).toEqual({ s: { p: all } });
    expect(await records.draft(toolDraftsId('s'))).toMatchObject({ text: JSON.stringify({ p: all }) });
  });
});
