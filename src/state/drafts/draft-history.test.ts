import { describe, expect, it } from 'vitest';

import { createDraftHistory, type DraftContent } from './draft-history.ts';

const empty: DraftContent = { text: '', pasted: [], files: [], images: [] };

/** Creates a composer whose content is changed through the history. */
function createTestComposer() {
  const history = createDraftHistory();
  let content = empty;
  const change = (part: Partial<DraftContent>, isComposing = false) => {
    const before = content;
    content = { ...content, ...part };
    history.record(before, content, isComposing);
  };
  return {
    change,
    type: (letters: string) =>
      Array.from(letters).forEach((letter) => change({ text: content.text + letter })),
    changeElsewhere: (text: string) => (content = { ...content, text }),
    undo: () => (content = history.undo(content) ?? content),
    redo: () => (content = history.redo(content) ?? content),
    send: () => {
      content = empty;
      history.clear();
    },
    getText: () => content.text,
    getContent: () => content,
  };
}

describe('draft history', () => {
  it('undoes consecutive letters in one step, and deletions and replacements separately', () => {
    const composer = createTestComposer();
    composer.type('hello 👋 you');
    composer.change({ text: 'hello 👋 yo' });
    composer.change({ text: 'hello 👋 y' });
    composer.change({ text: 'x' });
    composer.type('yz');
    expect(
      [composer.undo(), composer.undo(), composer.undo(), composer.undo()].map(({ text }) => text),
    ).toEqual(['x', 'hello 👋 y', 'hello 👋 you', '']);
    for (const text of ['hello 👋 you', 'hello 👋 y', 'x', 'xyz', 'xyz'])
      expect(composer.redo().text).toBe(text);
  });

  it('undoes an input method composition in one step', () => {
    const composer = createTestComposer();
    composer.type('a');
    for (const text of ['aに', 'aにほ', 'aにほん', 'a日本']) composer.change({ text }, true);
    expect(composer.undo().text).toBe('a');
    expect(composer.redo().text).toBe('a日本');
  });

  it('restores a pasted attachment before and after it was moved into the text', () => {
    const composer = createTestComposer();
    composer.type('Sum up');
    composer.change({ pasted: ['long'] });
    const attached = composer.getContent();
    composer.change({ text: 'Sum up\n\nlong', pasted: [] });
    const moved = composer.getContent();
    expect(composer.undo()).toEqual(attached);
    expect(composer.undo()).toEqual({ ...empty, text: 'Sum up' });
    expect(composer.redo()).toEqual(attached);
    expect(composer.redo()).toEqual(moved);
  });

  it('adds a step for an external change, and clears the history after sending', () => {
    const composer = createTestComposer();
    composer.type('mine');
    composer.changeElsewhere('inserted');
    composer.type('!');
    expect([composer.undo(), composer.undo(), composer.undo()].map(({ text }) => text)).toEqual([
      'inserted',
      'mine',
      '',
    ]);
    composer.type('sent');
    composer.send();
    expect(composer.undo().text).toBe('');
  });

  it('drops redo steps when something else is typed', () => {
    const composer = createTestComposer();
    composer.type('one');
    composer.undo();
    composer.type('two');
    expect(composer.redo().text).toBe('two');
    expect(composer.undo().text).toBe('');
  });
});
