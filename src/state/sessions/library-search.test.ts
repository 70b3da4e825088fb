import { describe, expect, it, vi } from 'vitest';

import type { Session } from '../../conversation/session/types.ts';
import { createMemoryRecordStore } from '../../storage/memory-record-store.ts';
import { createTestEnvironment, createTextChoices, createTestTurn } from '../../testing/builders.ts';
import { buildSessionWrites } from './autosave.ts';
import { searchLibrary, type SearchResults } from './library-search.ts';

/** Creates stored sessions, each with one question and one answer. */
async function createTestLibrary(...talks: [question: string, answer: string][]) {
  const records = createMemoryRecordStore();
  const environment = createTestEnvironment();
  const sessions: Session[] = [];
  for (const [question, answer] of talks) {
    const { data } = createTestTurn(environment, question, createTextChoices(answer));
    const session = { ...data.session, summary: { models: ['demo/guide'], prompts: 1 } };
    sessions.push(session);
    await records.write(buildSessionWrites({ ...data, session }));
  }
  const search = async (query: string, signal = new AbortController().signal) => {
    const steps: SearchResults[] = [];
    await searchLibrary(records, sessions, query, signal, (results) => steps.push(results));
    return { steps, finalResults: steps.at(-1) ?? new Map<string, undefined>() };
  };
  const findTitles = async (query: string) =>
    [...(await search(query)).finalResults.keys()].map(
      (id) => sessions.find((session) => session.id === id)?.title,
    );
  return { records, sessions, search, findTitles };
}

describe('searching the library', () => {
  it('finds titles, models, questions and answers, ignoring case and accents', async () => {
    const { findTitles } = await createTestLibrary(
      ['First\nRivers of Vienna', 'The Danube'],
      ['Second', 'Crème brûlée'],
    );
    expect(await findTitles('vienna')).toEqual(['First']);
    expect(await findTitles('DANUBE')).toEqual(['First']);
    expect(await findTitles('creme')).toEqual(['Second']);
    expect(await findTitles('demo/guide')).toEqual(['First', 'Second']);
    expect(await findTitles('nothing like it')).toEqual([]);
  });

  it('finds a session without a summary', async () => {
    const { sessions, findTitles } = await createTestLibrary(['Rivers', 'The Danube']);
    for (const session of sessions) delete session.summary;
    expect(await findTitles('rivers danube')).toEqual(['Rivers']);
  });

  it('finds sessions that contain every search term, even in different texts', async () => {
    const { findTitles } = await createTestLibrary(['Rivers', 'The Danube'], ['Rivers', 'The Thames']);
    expect(await findTitles('thames rivers guide')).toEqual(['Rivers']);
    expect(await findTitles('thames danube')).toEqual([]);
  });

  it('shows the text with the most matching terms, and no text for a match only in the title', async () => {
    const { search, sessions } = await createTestLibrary(
      ['Rivers', 'Some rivers cross Vienna'],
      ['Vienna rivers', 'x'],
    );
    const { finalResults } = await search('rivers vienna');
    expect(finalResults.get(sessions[0]?.id ?? '')).toMatchObject({
      texts: [{ source: 'answer' }],
      moreCount: 0,
    });
    expect(finalResults.get(sessions[1]?.id ?? '')).toMatchObject({
      texts: [{ source: 'prompt' }],
      moreCount: 0,
    });
    const byModel = await search('demo');
    expect(byModel.finalResults.get(sessions[0]?.id ?? '')).toBeUndefined();
    expect(byModel.finalResults.size).toBe(2);
  });

  it('shows the first three of the best texts and counts the others', async () => {
    const { records, sessions, search } = await createTestLibrary(['One needle', 'x']);
    const sessionId = sessions[0]?.id ?? '';
    await records.write(
      ['Two', 'Three', 'Four', 'Five'].map((word, index) => ({
        store: 'prompts' as const,
        put: {
          id: `more ${index}`,
          sessionId,
          seq: index + 9,
          createdAt: 1,
          messages: [{ role: 'user' as const, content: `${word} needle` }],
        },
      })),
    );
    const matches = (await search('needle')).finalResults.get(sessionId);
    expect(matches?.texts.map(({ recordId }) => recordId).slice(1)).toEqual(['more 0', 'more 1']);
    expect([matches?.texts.length, matches?.moreCount]).toEqual([3, 2]);
    // A text with more matching terms replaces all texts that match fewer.
    const better = (await search('needle four')).finalResults.get(sessionId);
    expect(better?.texts.map(({ recordId }) => recordId)).toEqual(['more 2']);
    expect(better?.moreCount).toBe(0);
  });

  it('reads in slices and reports the results after each slice with new matches', async () => {
    const talks = Array.from({ length: 450 }, (_, index): [string, string] => [
      `Talk ${index}`,
      index % 200 === 7 ? 'needle' : 'hay',
    ]);
    const { records, search } = await createTestLibrary(...talks);
    const readSpy = vi.spyOn(records, 'listBySession');
    const scan = vi.spyOn(records, 'scan');
    const { steps, finalResults } = await search('needle');
    expect(finalResults.size).toBe(3);
    expect(readSpy).toHaveBeenCalledTimes(3 * talks.length);
    // The runs store also contains runs of trials, so it is never scanned.
    expect(scan).not.toHaveBeenCalled();
    expect(steps.map((results) => results.size)).toEqual([0, 1, 2, 3, 3]);
  });

  it('stops when the signal aborts', async () => {
    const { search, records } = await createTestLibrary(['One', '1']);
    const controller = new AbortController();
    const readSpy = vi.spyOn(records, 'listBySession').mockImplementation(() => {
      controller.abort();
      return Promise.resolve([]);
    });
    await expect(search('one', controller.signal)).rejects.toThrow('aborted');
    expect(readSpy).toHaveBeenCalledTimes(1);
  });

  it('skips unreadable records', async () => {
    const { records, findTitles } = await createTestLibrary(['One', 'needle']);
    await records.write([
      {
        store: 'prompts',
        put: Object.assign(
          { id: 'id0000', sessionId: 'x', seq: 0, createdAt: 0, messages: [] },
          { messages: 7 },
        ),
      },
    ]);
    expect(await findTitles('needle')).toEqual(['One']);
  });
});
