import { useState, type MouseEvent } from 'react';

import { runOrTell } from '../../../state/notices.ts';
import { usePlayground } from '../../../state/use-playground.tsx';
import type { CellKey } from '../../../trials/trial.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useTrial, useWholeTrial } from '../use-trial.ts';
import { expectationOf, wordAt } from './expectation.ts';

interface AnswerTextProps {
  cellKey: CellKey;
  text: string;
  isPlayed: boolean;
}

const mostLetters = 20_000;
const longestWord = 60;

/** The whole answer. A word of it that is clicked can be expected: that makes the check and fills the case. */
export function AnswerText({ cellKey, text, isPlayed }: AnswerTextProps) {
  const { notices } = usePlayground();
  const trial = useTrial();
  const { trial: data, cases } = useWholeTrial();
  const [word, setWord] = useState<{ of: string; word: string }>();
  const own = cases.get(cellKey.caseId);
  const short = text.trim().length <= longestWord ? text.trim() : '';
  const chosen = word?.of === text ? word.word : short;
  const expectation = chosen === '' ? undefined : expectationOf(data, text, chosen);
  const isExpected = expectation !== undefined && own?.values[expectation.field] === chosen;

  const onClick = (event: MouseEvent<HTMLElement>) => {
    const selection = document.getSelection();
    const { anchorNode, focusNode } = selection ?? {};
    if (!selection || !anchorNode || !event.currentTarget.contains(anchorNode) || anchorNode !== focusNode)
      return;
    const picked = selection.toString().trim();
    const found = picked === '' ? wordAt(text, selection.anchorOffset) : picked;
    if (found !== '' && found.length <= longestWord * 3) setWord({ of: text, word: found });
  };
  const expect = async () => {
    if (!expectation || !own) return;
    const { field, check } = expectation;
    if (!data.fields.includes(field)) trial.addField(field);
    await trial.editCase(own.id, {
      values: { ...own.values, [field]: expectation.word },
      ...(own.history ? { history: own.history } : {}),
      ...(own.line === undefined ? {} : { line: own.line }),
    });
    if (check) trial.addCheck(check);
  };

  return (
    <>
      <pre
        aria-label="Answer"
        tabIndex={0}
        dir="auto"
        className={`unbroken max-h-80 overflow-auto rounded-2 border border-line-2 bg-raised px-2.5 py-2 font-mono text-mono-12 break-words whitespace-pre-wrap ${isPlayed ? 'border-needle!' : ''}`}
        onClick={onClick}
      >
        {text.slice(0, mostLetters)}
        {isPlayed && <i className="ml-0.5 inline-block h-3 w-1.5 bg-needle" aria-hidden />}
      </pre>
      {text.length > mostLetters && (
        <p className="mt-1 text-12 text-ink-3">The first 20,000 letters. Open as lanes shows all.</p>
      )}
      {expectation && !isPlayed && (
        <p className="mt-2 flex flex-wrap items-center gap-2 text-12 text-ink-3">
          <Button size="small" disabled={isExpected} onClick={() => void runOrTell(notices, expect)}>
            Expect this
          </Button>
          <span className="min-w-0 flex-1 truncate">
            “{chosen}”{' '}
            {isExpected
              ? 'is expected'
              : expectation.check
                ? 'with a new check'
                : `as ${expectation.field} of this case`}
          </span>
        </p>
      )}
    </>
  );
}
