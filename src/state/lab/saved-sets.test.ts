import { describe, expect, it } from 'vitest';

import { createMemoryVectorStore } from '../../storage/vector-store.ts';
import { readLabFile } from './lab-file.ts';
import { emptyInput, noModel, type LabInput } from './lab-input.ts';
import { createSavedSets } from './saved-sets.ts';

interface UndoToast {
  text: string;
  restore: () => void;
  expire: () => void;
}

function createTestSets(vectors = createMemoryVectorStore()) {
  const undoToasts: UndoToast[] = [];
  let nowMs = 1_000;
  const sets = createSavedSets({
    vectors,
    newId: () => `new ${nowMs}`,
    now: () => (nowMs += 1),
    offerUndo: (text, restore, expire) => undoToasts.push({ text, restore, expire }),
  });
  return { sets, vectors, undoToasts };
}

const createTypedInput = (text: string): LabInput => ({ ...emptyInput, typed: text });

describe('a saved set of texts', () => {
  it('saves the same texts once, with all models, and restores the input', async () => {
    const { sets } = createTestSets();
    const input = {
      ...createTypedInput('\n  Late again \nWhere is it?'),
      models: { A: { model: 'south/small' }, B: noModel },
    };
    await sets.save(input, ['south/small']);
    await sets.save({ ...input, dimensions: 64 }, ['south/large', 'south/small']);
    const savedSets = await sets.list();
    expect(savedSets).toMatchObject([
      { title: 'Late again', texts: 2, models: ['south/large', 'south/small'], updatedAt: 1_002 },
    ]);
    expect(await sets.read(savedSets[0]?.id ?? '')).toEqual({ ...input, dimensions: 64 });
  });

  it('names a set after its file, and saves other columns as another set', async () => {
    const { sets } = createTestSets();
    const file = readLabFile('questions.csv', 'question,answer\nWhere?,There\nWhen?,Then\n');
    if (!file) throw new Error('The file contains no rows');
    await sets.save({ ...emptyInput, file }, ['m']);
    await sets.save({ ...emptyInput, file: { ...file, columns: { text: 1 } } }, ['m']);
    expect((await sets.list()).map(({ title, texts }) => [title, texts])).toEqual([
      ['questions.csv', 2],
      ['questions.csv', 2],
    ]);
  });

  it('adds a set beside one with the same texts, and erases it', async () => {
    const { sets } = createTestSets();
    await sets.save(createTypedInput('one\ntwo'), ['m']);
    const [set] = await sets.list();
    const [exported] = await sets.exportSets([set?.id ?? '', 'gone']);
    if (!exported) throw new Error('The set was not exported');
    const id = await sets.add({ ...exported, title: 'Copy' });
    expect((await sets.list()).map(({ title, texts, models }) => [title, texts, models])).toEqual(
      expect.arrayContaining([
        [set?.title, 2, ['m']],
        ['Copy', 2, ['m']],
      ]),
    );
    await sets.erase(id);
    expect(await sets.list()).toEqual([set]);
    expect(await sets.read(id)).toBeUndefined();
  });

  it('keeps a title given by the user', async () => {
    const { sets } = createTestSets();
    await sets.save(createTypedInput('one\ntwo'), ['m']);
    const [set] = await sets.list();
    await sets.rename(set?.id ?? '', 'Numbers');
    await sets.save(createTypedInput('one\ntwo'), ['n']);
    expect(await sets.list()).toMatchObject([{ title: 'Numbers', models: ['n', 'm'], updatedAt: 1_002 }]);
    // Saving it again without models keeps the models and the time.
    await sets.save(createTypedInput('one\ntwo'), []);
    expect(await sets.list()).toMatchObject([{ models: ['n', 'm'], updatedAt: 1_002 }]);
  });

  it('finds a set by title, model or text, ignoring case', async () => {
    const { sets } = createTestSets();
    await sets.save(createTypedInput('Zwölf Boxkämpfer\njagen Viktor'), ['south/small']);
    await sets.save(createTypedInput('nothing alike'), ['north/large']);
    const [set] = await sets.list().then((all) => all.filter(({ models }) => models[0] === 'south/small'));
    for (const query of ['VIKTOR', 'zwolf jagen', 'south viktor'])
      expect([...(await sets.search(query))], query).toEqual([set?.id]);
    expect((await sets.search('viktor alike')).size).toBe(0);
    const file = readLabFile('questions.csv', 'question,answer\nWhere?,There\nWhen?,Then\n');
    if (!file) throw new Error('The file contains no rows');
    await sets.save({ ...emptyInput, file }, ['m']);
    expect((await sets.search('questions there when')).size).toBe(1);
  });

  it('restores a deleted set on Undo, removes it afterwards, and keeps it if its texts are embedded again', async () => {
    const { sets, vectors, undoToasts } = createTestSets();
    const input = createTypedInput('one\ntwo');
    await sets.save(input, ['m']);
    const [set] = await sets.list();
    if (!set) throw new Error('No set was stored');
    sets.remove(set);
    expect(undoToasts[0]?.text).toBe('Deleted “one”.');
    expect(await sets.list()).toEqual([]);
    undoToasts[0]?.restore();
    expect(await sets.list()).toEqual([set]);

    sets.remove(set);
    await sets.save(input, ['m']);
    undoToasts[1]?.expire();
    expect(await sets.list()).toHaveLength(1);

    sets.remove(set);
    const { count } = sets.changes.getState();
    undoToasts[2]?.expire();
    await new Promise<void>((resolve) => {
      const unsubscribe = sets.changes.subscribe((state) => {
        if (state.count > count) resolve(unsubscribe());
      });
    });
    expect(await vectors.listNotes('')).toEqual([]);
  });

  it('skips unreadable sets and saves no set without texts', async () => {
    const { sets, vectors } = createTestSets();
    const completeSet = { title: 'whole', texts: 1, models: ['m', 5], updatedAt: 1 };
    for (const name of Object.keys(completeSet)) {
      const incompleteSet = Object.fromEntries(Object.entries(completeSet).filter(([key]) => key !== name));
      await vectors.putNote(`set without ${name}`, incompleteSet);
    }
    await vectors.putNote('set whole', completeSet);
    expect(await sets.list()).toEqual([
      { id: 'whole', title: 'whole', texts: 1, models: ['m'], updatedAt: 1 },
    ]);
    expect([await sets.read('whole'), (await sets.search('whole')).size]).toEqual([undefined, 1]);
    await vectors.putNote('set whole', undefined);
    await sets.rename('whole', 'Mine');
    await vectors.putNote('lab', { input: createTypedInput('the last visit') });
    await sets.save(createTypedInput(' \n '), ['m']);
    expect(await sets.list()).toEqual([]);
  });
});
