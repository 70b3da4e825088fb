import { describe, expect, it } from 'vitest';

import { memoryVectorStore } from '../../storage/vector-store.ts';
import { importedFile } from './lab-file.ts';
import { emptyInput, type LabInput } from './lab-input.ts';
import { createKeptSets } from './saved-sets.ts';

interface Offer {
  text: string;
  restore: () => void;
  expire: () => void;
}

function someSets(vectors = memoryVectorStore()) {
  const offers: Offer[] = [];
  let at = 1_000;
  const sets = createKeptSets({
    vectors,
    now: () => (at += 1),
    offerUndo: (text, restore, expire) => offers.push({ text, restore, expire }),
  });
  return { sets, vectors, offers };
}

const typed = (text: string): LabInput => ({ ...emptyInput, typed: text });

describe('a set of texts that was embedded', () => {
  it('is kept once, with every model that it was embedded with, and comes back as it was', async () => {
    const { sets } = someSets();
    const input = { ...typed('\n  Late again \nWhere is it?'), models: { A: 'south/small', B: '' } };
    await sets.keep(input, ['south/small']);
    await sets.keep({ ...input, dimensions: 64 }, ['south/large', 'south/small']);
    const kept = await sets.list();
    expect(kept).toMatchObject([
      { title: 'Late again', texts: 2, models: ['south/large', 'south/small'], updatedAt: 1_002 },
    ]);
    expect(await sets.read(kept[0]?.id ?? '')).toEqual({ ...input, dimensions: 64 });
  });

  it('of a file is called by its name, and is another set where other columns are read', async () => {
    const { sets } = someSets();
    const file = importedFile('questions.csv', 'question,answer\nWhere?,There\nWhen?,Then\n');
    if (!file) throw new Error('The file holds no rows');
    await sets.keep({ ...emptyInput, file }, ['m']);
    await sets.keep({ ...emptyInput, file: { ...file, columns: { text: 1 } } }, ['m']);
    expect((await sets.list()).map(({ title, texts }) => [title, texts])).toEqual([
      ['questions.csv', 2],
      ['questions.csv', 2],
    ]);
  });

  it('keeps the title that a person gave it', async () => {
    const { sets } = someSets();
    await sets.keep(typed('one\ntwo'), ['m']);
    const [set] = await sets.list();
    await sets.rename(set?.id ?? '', 'Numbers');
    await sets.keep(typed('one\ntwo'), ['n']);
    expect(await sets.list()).toMatchObject([{ title: 'Numbers', models: ['n', 'm'], updatedAt: 1_002 }]);
    // Put aside again, it is as it was embedded.
    await sets.keep(typed('one\ntwo'), []);
    expect(await sets.list()).toMatchObject([{ models: ['n', 'm'], updatedAt: 1_002 }]);
  });

  it('is found by its title, its models and its texts, whatever the case', async () => {
    const { sets } = someSets();
    await sets.keep(typed('Zwölf Boxkämpfer\njagen Viktor'), ['south/small']);
    await sets.keep(typed('nothing alike'), ['north/large']);
    const [set] = await sets.list().then((all) => all.filter(({ models }) => models[0] === 'south/small'));
    for (const query of ['VIKTOR', 'zwolf jagen', 'south viktor'])
      expect([...(await sets.search(query))], query).toEqual([set?.id]);
    expect((await sets.search('viktor alike')).size).toBe(0);
    const file = importedFile('questions.csv', 'question,answer\nWhere?,There\nWhen?,Then\n');
    if (!file) throw new Error('The file holds no rows');
    await sets.keep({ ...emptyInput, file }, ['m']);
    expect((await sets.search('questions there when')).size).toBe(1);
  });

  it('that is deleted comes back with Undo, is gone for good after it, and stays where it is embedded again', async () => {
    const { sets, vectors, offers } = someSets();
    const input = typed('one\ntwo');
    await sets.keep(input, ['m']);
    const [set] = await sets.list();
    if (!set) throw new Error('Nothing was kept');
    sets.remove(set);
    expect(offers[0]?.text).toBe('Deleted “one”.');
    expect(await sets.list()).toEqual([]);
    offers[0]?.restore();
    expect(await sets.list()).toEqual([set]);

    sets.remove(set);
    await sets.keep(input, ['m']);
    offers[1]?.expire();
    expect(await sets.list()).toHaveLength(1);

    sets.remove(set);
    const { count } = sets.changes.getState();
    offers[2]?.expire();
    await new Promise<void>((resolve) => {
      const stop = sets.changes.subscribe((state) => {
        if (state.count > count) resolve(stop());
      });
    });
    expect(await vectors.notes('')).toEqual([]);
  });

  it('is left out where it cannot be read, and nothing without texts is kept', async () => {
    const { sets, vectors } = someSets();
    const whole = { title: 'whole', texts: 1, models: ['m', 5], updatedAt: 1 };
    for (const name of Object.keys(whole)) {
      const rest = Object.fromEntries(Object.entries(whole).filter(([each]) => each !== name));
      await vectors.putNote(`set without ${name}`, rest);
    }
    await vectors.putNote('set whole', whole);
    expect(await sets.list()).toEqual([
      { id: 'whole', title: 'whole', texts: 1, models: ['m'], updatedAt: 1 },
    ]);
    expect([await sets.read('whole'), (await sets.search('whole')).size]).toEqual([undefined, 1]);
    await vectors.putNote('set whole', undefined);
    await sets.rename('whole', 'Mine');
    await vectors.putNote('lab', { input: typed('the last visit') });
    await sets.keep(typed(' \n '), ['m']);
    expect(await sets.list()).toEqual([]);
  });
});
