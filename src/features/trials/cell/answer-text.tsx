import { useEffect, useEffectEvent, useRef, useState } from 'react';

import { useAppServices } from '../../../state/contexts.tsx';
import { runAndReport } from '../../../state/notices.ts';
import type { CellKey } from '../../../trials/trial.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useTrial, useFullTrialState } from '../use-trial.ts';
import { createExpectation, getWordAt } from './expectation.ts';

interface AnswerTextProps {
  cellKey: CellKey;
  text: string;
  isReplaying: boolean;
}

const maxVisibleChars = 20_000;
const maxWordChars = 60;

/** Complete answer. Selecting text in it, or clicking a word, offers to expect that text, which adds a check and fills in the case's value. */
export function AnswerText({ cellKey, text, isReplaying }: AnswerTextProps) {
  const { notices } = useAppServices();
  const trial = useTrial();
  const { trial: data, cases } = useFullTrialState();
  const [selected, setSelected] = useState<{ answer: string; text: string }>();
  const testCase = cases.get(cellKey.caseId);
  const shortAnswer = text.trim().length <= maxWordChars ? text.trim() : '';
  const expectedText = selected?.answer === text ? selected.text : shortAnswer;
  const expectation = expectedText === '' ? undefined : createExpectation(data, text, expectedText);
  const isExpected = expectation !== undefined && testCase?.values[expectation.field] === expectedText;

  const box = useRef<HTMLPreElement>(null);
  const onSelectionChange = useEffectEvent(() => {
    const selection = document.getSelection();
    const { anchorNode, focusNode } = selection ?? {};
    if (!selection || !anchorNode || !box.current?.contains(anchorNode) || anchorNode !== focusNode) return;
    const selectedText = selection.toString().trim() || getWordAt(text, selection.anchorOffset);
    if (selectedText !== '' && selectedText.length <= maxWordChars * 3)
      setSelected({ answer: text, text: selectedText });
  });
  useEffect(() => {
    document.addEventListener('selectionchange', onSelectionChange);
    return () => document.removeEventListener('selectionchange', onSelectionChange);
  }, []);
  const applyExpectation = async () => {
    if (!expectation || !testCase) return;
    const { field, check } = expectation;
    if (!data.fields.includes(field)) trial.addField(field);
    await trial.editCase(testCase.id, {
      values: { ...testCase.values, [field]: expectation.expectedText },
      ...(testCase.history ? { history: testCase.history } : {}),
      ...(testCase.line === undefined ? {} : { line: testCase.line }),
    });
    if (check) trial.addCheck(check);
  };

  return (
    <>
      <pre
        ref={box}
        aria-label="Answer"
        tabIndex={0}
        dir="auto"
        className={`unbroken max-h-80 overflow-auto rounded-2 border border-line-2 bg-raised px-2.5 py-2 font-mono text-mono-12 break-words whitespace-pre-wrap ${isReplaying ? 'border-needle!' : ''}`}
      >
        {text.slice(0, maxVisibleChars)}
        {isReplaying && <i className="ml-0.5 inline-block h-3 w-1.5 bg-needle" aria-hidden />}
      </pre>
      {text.length > maxVisibleChars && (
        <p className="mt-1 text-12 text-ink-3">First 20,000 characters. Open as lanes to see all.</p>
      )}
      {expectation && !isReplaying && (
        <p className="mt-2 flex flex-wrap items-center gap-2 text-12 text-ink-3">
          <Button
            size="small"
            disabled={isExpected}
            onClick={() => void runAndReport(notices, applyExpectation)}
          >
            Set as expected answer
          </Button>
          <span className="min-w-0 flex-1 truncate">
            “{expectedText}”{' '}
            {isExpected
              ? 'is expected'
              : expectation.check
                ? 'with a new check'
                : `in field “${expectation.field}” of this case`}
          </span>
        </p>
      )}
    </>
  );
}
