import { clsx } from 'clsx';
import { useState } from 'react';

import { getContentText } from '../../../conversation/request/request.ts';
import type { Message } from '../../../gateway/wire.ts';
import { formatBytes, formatCount, pluralize } from '../../../lib/format.ts';
import { sanitizeForSentence } from '../../../lib/text/safe-text.ts';
import { useAppServices } from '../../../state/contexts.tsx';
import { runAndReport, showToast } from '../../../state/notices.ts';
import { defaultTrialTitle } from '../../../trials/edit-trial.ts';
import {
  describeCaseFile,
  type CaseChoices,
  type CaseFileSummary,
} from '../../../trials/files/case-file-result.ts';
import { guessExpectedField } from '../../../trials/files/expected-field.ts';
import { countCases, trialLimits } from '../../../trials/trial.ts';
import { ButtonElement } from '../../../ui/controls/button-element.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { CheckboxField } from '../../../ui/controls/checkbox.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { TableOptions } from '../../../ui/controls/table-options.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { anyTextArea, getNextFocusAttributes } from '../../../ui/focus/focus-target.ts';
import { usePageFileDrop } from '../../../ui/hooks/use-page-file-drop.ts';
import { CircleAlert } from '../../../ui/icons.tsx';
import { FileUp } from '../../../ui/late-icons.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { createCheck } from '../checks/describe-check.ts';
import { useTrial, useTrials, useTrialViewStore, useFullTrialState } from '../use-trial.ts';
import { openCaseFile } from './open-case-file.ts';
import { useCaseFile, type CaseFileState } from './use-case-file.ts';

const maxListedSkippedLines = 100;

/**
 * Dialog that imports cases from a file or pasted text, at first from `source`; problems are listed by line before
 * anything is added.
 */
export function ImportDialog({ source: initialSource = '' }: { source?: File | string | undefined }) {
  const { notices } = useAppServices();
  const trial = useTrial();
  const trials = useTrials();
  const view = useTrialViewStore();
  const { trial: data } = useFullTrialState();
  const [text, setText] = useState(typeof initialSource === 'string' ? initialSource : '');
  const [file, setFile] = useState(typeof initialSource === 'string' ? undefined : initialSource);
  const [choices, setChoices] = useState<CaseChoices>({});
  // Null for no check; undefined for a check only if a field has a fitting name.
  const [chosenField, setChosenField] = useState<string | null>();
  const source = file ?? text;
  const { result, isCurrent = false } = useCaseFile(source, choices) ?? {};
  const [summaryBeingAdded, setSummaryBeingAdded] = useState<CaseFileSummary>();
  const readableFile = result?.ok === true ? result : undefined;
  const summary = readableFile?.summary;
  const expectedField =
    chosenField === undefined && data.checks.length === 0 && summary
      ? guessExpectedField(listComparableFields(summary))
      : chosenField;
  const checkedField = summary?.fields.find((field) => field === expectedField);
  const selectFile = (chosen: File | undefined) => {
    setFile(chosen);
    setChoices({});
    setChosenField(undefined);
  };
  const isDragOver = usePageFileDrop(([dropped]) => dropped && selectFile(dropped));
  const close = () => view.setState({ dialog: undefined });
  const remainingCapacity = trialLimits.cases - countCases(data);
  const hasTooManyCases = summary !== undefined && summary.counts.cases > remainingCapacity;

  const add = async (caseFile: CaseFileState & { ok: true }) => {
    setSummaryBeingAdded(caseFile.summary);
    const { added, duplicates, reason } = await caseFile
      .loadAll()
      .then((cases) => trial.addCases(cases, caseFile.summary.fields))
      .finally(() => setSummaryBeingAdded(undefined));
    if (reason !== undefined) throw new Error(reason);
    if (checkedField !== undefined)
      trial.addCheck({ ...createCheck('equals', data), expected: { value: checkedField } });
    if (data.title === defaultTrialTitle) {
      const checkTitle = checkedField === undefined ? '' : `Answer equals ${checkedField}`;
      const title = file?.name.replace(/\.[^.]*$/, '') || checkTitle;
      if (title !== '') await trials.rename(trial.id, title);
    }
    close();
    const omittedText =
      duplicates.length > 0 ? ` Skipped ${pluralize(duplicates.length, 'case')} from the earlier trial.` : '';
    const checkText =
      checkedField === undefined
        ? ''
        : ` and a check that the answer equals “${sanitizeForSentence(checkedField, 40)}”`;
    showToast(notices, `Added ${pluralize(added, 'case')}${checkText}.${omittedText}`);
  };

  return (
    <Dialog
      title="Import cases"
      isWide
      onClose={close}
      footer={
        <>
          <span className="min-w-0 flex-1 text-12 text-ink-3">
            {summary
              ? describeCaseFile(summary)
              : source === ''
                ? 'Up to 50 MB, 10,000 cases and 64 values per case.'
                : 'Reading…'}
          </span>
          <Button
            variant="primary"
            disabled={
              !summary ||
              !isCurrent ||
              summary.counts.cases === 0 ||
              hasTooManyCases ||
              summaryBeingAdded === summary
            }
            onClick={() => readableFile && void runAndReport(notices, () => add(readableFile))}
          >
            Add {pluralize(summary?.counts.cases ?? 0, 'case')}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <Button onClick={() => openCaseFile(selectFile)}>
            <FileUp className="icon-14" aria-hidden />
            Choose a file
          </Button>
          {file && (
            <span className="text-12 text-ink-2">
              {file.name}, {formatBytes(file.size)}{' '}
              <ButtonElement
                type="button"
                className="underline"
                {...getNextFocusAttributes(anyTextArea)}
                onClick={() => selectFile(undefined)}
              >
                Remove file
              </ButtonElement>
            </span>
          )}
        </div>
        {!file && (
          <TextArea
            aria-label="Rows to import"
            variant="code"
            className={clsx('max-h-60 min-h-30', isDragOver && 'border-needle')}
            dir="auto"
            spellCheck={false}
            placeholder={'ticket,team\n"I was charged twice for order 20418",billing'}
            value={text}
            onText={setText}
          />
        )}
        {result?.ok === false && (
          <p className="text-12 text-err-ink">Could not read the cases. {result.reason}</p>
        )}
        {summary && (
          <ImportOptions
            summary={summary}
            checkedField={checkedField}
            onChoices={(change) => setChoices({ ...choices, ...change })}
            onChecked={setChosenField}
          />
        )}
        {hasTooManyCases && (
          <p className="text-12 text-err-ink">
            Too many cases. This trial has room for {pluralize(remainingCapacity, 'more case')}.
          </p>
        )}
        {summary && summary.invalidLines.length > 0 && <SkippedLines reading={summary} />}
        {summary && summary.cases.length > 0 && <Preview summary={summary} />}
      </div>
    </Dialog>
  );
}

/** Options that show how the source was read. Each guess can be changed before anything is added. */
function ImportOptions({
  summary,
  checkedField,
  onChoices,
  onChecked,
}: {
  summary: CaseFileSummary;
  /** Field with the values to which a new check compares answers. */
  checkedField: string | undefined;
  onChoices: (change: CaseChoices) => void;
  onChecked: (field: string | null) => void;
}) {
  const { kind, fields, historyColumns, notes, choices } = summary;
  const { history, expectsLast } = choices;
  const expectedField = checkedField ?? guessExpectedField(fields) ?? fields.at(-1);
  const isPlainLines = choices.format === 'lines';
  return (
    <div role="group" aria-label="Import options" className="grid grid-cols-1 gap-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <TableOptions reading={summary} onChange={onChoices} />
        {history !== undefined && (
          <span className="inline-flex min-w-0 items-center gap-1.5 text-12">
            Earlier messages
            <Select
              label="Column with messages"
              value={history}
              options={[
                { value: '', label: 'none' },
                ...historyColumns.map((value) => ({ value, label: value })),
              ]}
              onChange={(next) => onChoices({ history: next })}
            />
          </span>
        )}
        {expectsLast !== undefined && (
          <CheckboxField
            label="Last assistant message is the expected answer"
            checked={expectsLast}
            onChange={(next) => onChoices({ expectsLast: next })}
          />
        )}
        {expectedField !== undefined && listComparableFields(summary).length > 0 && (
          <span className="inline-flex min-w-0 flex-wrap items-center gap-1.5 text-12">
            <CheckboxField
              label="Add a check that the answer equals this field"
              checked={checkedField !== undefined}
              onChange={(next) => onChecked(next ? expectedField : null)}
            />
            <Select
              label="Expected answer"
              value={expectedField}
              options={fields.map((value) => ({ value, label: value }))}
              onChange={onChecked}
            />
          </span>
        )}
      </div>
      <p className="text-12 text-pretty text-ink-2" role="status">
        {isPlainLines
          ? 'Read as plain text, one case per line.'
          : `Read as ${kind} with ${pluralize(fields.length, 'column')}: ${fields.map((field) => sanitizeForSentence(field, 40)).join(', ')}.`}{' '}
        {notes.join(' ')}
      </p>
    </div>
  );
}

/** Returns the fields that may contain the expected answer: the only field of a file is the question. */
function listComparableFields({ fields, choices }: CaseFileSummary): readonly string[] {
  return fields.length > 1 || choices.expectsLast === true ? fields : [];
}

function SkippedLines({ reading: summary }: { reading: CaseFileSummary }) {
  const [isTextVisible, setIsTextVisible] = useState(false);
  const { invalidLines, counts } = summary;
  return (
    <div
      role="group"
      aria-label="Skipped lines"
      className="rounded-3 border border-warn/60 bg-warn-wash px-4 py-2.5"
    >
      <p className="flex items-center gap-2 font-[600] text-warn-ink">
        <CircleAlert className="icon-16" aria-hidden />
        {describeCaseFile(summary)}
      </p>
      <ul className="mt-1 max-h-40 overflow-y-auto text-12 text-ink-2" tabIndex={0} aria-label="Reasons">
        {invalidLines.slice(0, maxListedSkippedLines).map(({ line, reason, text }) => (
          <li key={line}>
            {reason}
            {isTextVisible && text !== '' && (
              <span className="block truncate font-mono text-mono-11 text-ink-3" dir="auto">
                {text}
              </span>
            )}
          </li>
        ))}
        {counts.invalidLines > maxListedSkippedLines && (
          <li>And {formatCount(counts.invalidLines - maxListedSkippedLines)} more.</li>
        )}
      </ul>
      <Button
        size="small"
        className="mt-2"
        aria-pressed={isTextVisible}
        onClick={() => setIsTextVisible(!isTextVisible)}
      >
        Show skipped lines
      </Button>
    </div>
  );
}

function Preview({ summary: { fields, cases } }: { summary: CaseFileSummary }) {
  const hasHistory = cases.some(({ history }) => history !== undefined);
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="First cases">
      <table aria-label="First cases" className="w-full border-collapse text-12">
        <thead>
          <tr className="border-b border-line-2 text-left text-11 text-ink-3">
            {hasHistory && (
              <th scope="col" className="py-1 pr-4 font-[500]">
                Earlier messages
              </th>
            )}
            {fields.map((field) => (
              <th key={field} scope="col" className="py-1 pr-4 font-[500]">
                {field}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cases.map(({ values, history, line }) => (
            <tr key={line} className="border-b border-line">
              {hasHistory && (
                <td className="max-w-80 truncate py-1 pr-4" dir="auto">
                  {describeHistory(history)}
                </td>
              )}
              {fields.map((field) => (
                <td key={field} className="max-w-80 truncate py-1 pr-4" dir="auto">
                  {Object.hasOwn(values, field) ? values[field] : ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Describes a history by its number of messages and the text of the last. */
function describeHistory(messages: readonly Message[] = []): string {
  const last = messages.at(-1);
  if (!last) return '';
  return `${pluralize(messages.length, 'message')}, last: ${sanitizeForSentence(getContentText(last.content))}`;
}
