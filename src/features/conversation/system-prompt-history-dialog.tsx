import { clsx } from 'clsx';
import { useMemo, useState, type MouseEvent } from 'react';

import { describeAnswer } from '../../conversation/comparison/compared-answers.ts';
import {
  findAnswersToCompare,
  listSystemPrompts,
  type SystemPromptVersion,
} from '../../conversation/comparison/system-prompt-history.ts';
import { diffWordByWord } from '../../conversation/comparison/text-diff.ts';
import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { LaneId, SessionData } from '../../conversation/session/types.ts';
import { getSystemKey, withSystemRole } from '../../conversation/setup/setup.ts';
import { pluralize } from '../../lib/format.ts';
import { formatRelativeTime } from '../../lib/relative-time.ts';
import { useSessionByPhases, useSessionServices } from '../../state/contexts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { RadioChoice, RadioGroup } from '../../ui/controls/radio-group.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Tag } from '../../ui/display/tag.tsx';
import { lazyOverlay } from '../../ui/hooks/lazy-component.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { InlineDiff } from '../compare/diff-view.tsx';

const CompareTexts = lazyOverlay(
  'The comparison',
  async () => (await import('../compare/compare-texts.tsx')).CompareTexts,
);

type PromptView = 'changes' | 'prompt';

const promptViews: { value: PromptView; label: string }[] = [
  { value: 'changes', label: 'Changes' },
  { value: 'prompt', label: 'Prompt' },
];

interface SystemPromptHistoryProps {
  /** Lanes whose prompts are listed and replaced. */
  laneIds: readonly LaneId[];
  /** Key of the prompt that is selected first; by default the newest one that is not the current one. */
  initialKey?: string | undefined;
  onClose: () => void;
}

/** Dialog with all system prompts of these lanes, each compared with the current one. */
export function SystemPromptHistoryDialog(props: SystemPromptHistoryProps) {
  const data = useSessionByPhases();
  return data && <History data={data} {...props} />;
}

function History({ data, laneIds, initialKey, onClose }: SystemPromptHistoryProps & { data: SessionData }) {
  const { actions } = useSessionServices();
  const versions = useMemo(() => listSystemPrompts(data, laneIds), [data, laneIds]);
  const currentSetup = data.lanes[laneIds[0] ?? '']?.setup;
  const currentKey = currentSetup ? getSystemKey(currentSetup) : '';
  const [selectedKey, setSelectedKey] = useState(
    () => initialKey ?? (versions.find(({ key }) => key !== currentKey) ?? versions[0])?.key ?? '',
  );
  const [promptView, setPromptView] = useState<PromptView>('changes');
  const [isComparing, setIsComparing] = useState(false);
  const selected = versions.find(({ key }) => key === selectedKey);
  const isCurrent = selectedKey === currentKey;
  const answersToCompare = useMemo(
    () => selected && findAnswersToCompare(data, laneIds, { versions, version: selected, currentKey }),
    [data, laneIds, versions, selected, currentKey],
  );
  const diff = useMemo(
    () => diffWordByWord(selected?.system ?? '', currentSetup?.system ?? ''),
    [selected?.system, currentSetup?.system],
  );
  const showsChanges = promptView === 'changes' && !isCurrent;
  const laneIndexes = laneIds.map((laneId) => data.session.laneIds.indexOf(laneId));
  const onlyLetter =
    laneIndexes.length === 1 && data.session.laneIds.length > 1
      ? getLaneLetter(laneIndexes[0] ?? 0)
      : undefined;

  const restorePrompt = (event: MouseEvent<HTMLButtonElement>) => {
    if (!selected) return;
    // Closed first: the focus returns to the button that opened the dialog, which may disappear with the old prompt.
    event.currentTarget.closest('dialog')?.close();
    actions.replaceSetups(
      laneIds,
      (setup) => withSystemRole({ ...setup, system: selected.system }, selected.systemRole),
      selected.system === '' ? 'Removed the system prompt.' : 'Restored an older system prompt.',
    );
  };

  return (
    <>
      <Dialog
        title="System prompt history"
        isWide
        note={onlyLetter === undefined ? undefined : <Tag>Lane {onlyLetter}</Tag>}
        onClose={onClose}
        footer={
          <div className="flex min-w-0 flex-1 flex-wrap items-center justify-end gap-2">
            <span className="min-w-0 flex-1 basis-60 text-12 text-ink-3 empty:max-phone:hidden">
              {answersToCompare ? '' : 'No message has an answer with this prompt and one with another.'}
            </span>
            <Button
              className="max-phone:flex-1"
              disabled={!answersToCompare}
              title={answersToCompare ? undefined : 'Run the message again with another prompt first'}
              onClick={() => setIsComparing(true)}
            >
              Compare the two answers
            </Button>
            <Button
              variant="primary"
              className="max-phone:flex-1"
              disabled={isCurrent}
              title={isCurrent ? 'This is the current prompt' : undefined}
              onClick={restorePrompt}
            >
              Use this prompt again
            </Button>
          </div>
        }
      >
        <div className="grid gap-x-5 gap-y-3 phone:min-h-72 phone:grid-cols-[260px_minmax(0,1fr)]">
          <RadioGroup
            label="System prompts"
            value={selectedKey}
            className="flex flex-col gap-1 max-phone:max-h-52 max-phone:overflow-y-auto"
            onChange={setSelectedKey}
          >
            {versions.map((version) => (
              <RadioChoice
                key={version.key}
                value={version.key}
                className={clsx(
                  'grid flex-none gap-0.5 rounded-2 px-2.5 py-2 text-left hover:bg-hover',
                  'focus-visible:-outline-offset-2 data-active:bg-sunken data-active:inset-ring data-active:inset-ring-line-2',
                  'forced-colors:data-active:border',
                )}
              >
                <VersionSummary version={version} isCurrent={version.key === currentKey} />
              </RadioChoice>
            ))}
          </RadioGroup>
          {selected && (
            <section aria-label="Selected prompt" className="flex min-w-0 flex-col gap-2">
              <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1 text-12 text-ink-2">
                <span className="min-w-0 flex-1">{describeChanges(isCurrent, diff.differenceCount)}</span>
                {!isCurrent && (
                  <Segmented label="View" value={promptView} choices={promptViews} onChange={setPromptView} />
                )}
              </div>
              <div
                className={clsx(
                  'lane-a flex-1 rounded-3 border border-line bg-raised px-3.5 py-3 text-14/5.5',
                  'max-h-[min(420px,45dvh)] overflow-y-auto max-phone:max-h-[34dvh]',
                )}
                tabIndex={0}
                role="group"
                aria-label="Prompt"
              >
                {showsChanges ? (
                  <InlineDiff segments={diff.inline} letters={['A', 'B']} />
                ) : (
                  <p className="wrap-anywhere whitespace-pre-wrap" dir="auto">
                    {selected.system.trim() === '' ? (
                      <span className="text-ink-3">No system prompt</span>
                    ) : (
                      selected.system
                    )}
                  </p>
                )}
              </div>
              <p className="text-12 text-ink-3">{describeUse(data, selected)}</p>
            </section>
          )}
        </div>
      </Dialog>
      {isComparing && <CompareTexts turnIds={answersToCompare} onClose={() => setIsComparing(false)} />}
    </>
  );
}

/** Time, first words and number of answers of a prompt. */
function VersionSummary({ version, isCurrent }: { version: SystemPromptVersion; isCurrent: boolean }) {
  const { system, systemRole, firstSentAt, turns } = version;
  const [nowMs] = useState(Date.now);
  const answers = turns.length === 0 ? 'no answers' : pluralize(turns.length, 'answer');
  return (
    <>
      <span className="line-clamp-2 text-13 wrap-anywhere text-ink" dir="auto">
        {system.trim() === '' ? 'No system prompt' : system.trim()}
      </span>
      <span className="flex flex-wrap items-center gap-x-2 text-12 text-ink-3 normal-nums">
        <span>
          {firstSentAt === undefined
            ? 'not sent yet'
            : `${formatRelativeTime(firstSentAt, nowMs)}, ${answers}`}
          {systemRole === undefined ? '' : `, as ${systemRole}`}
        </span>
        {isCurrent && <Tag>current</Tag>}
      </span>
    </>
  );
}

function describeChanges(isCurrent: boolean, differenceCount: number): string {
  if (isCurrent) return 'The current prompt.';
  if (differenceCount === 0) return 'Same words as the current prompt.';
  return `${pluralize(differenceCount, 'change')} since. Struck-through words were removed, underlined words added.`;
}

/** Maximum number of answers in a list. */
const maxListedAnswers = 6;

function describeUse(data: SessionData, { turns }: SystemPromptVersion): string {
  if (turns.length === 0) return 'No answer was made with it.';
  const answers = turns.slice(0, maxListedAnswers).map((turn) => describeAnswer(data, turn));
  const moreCount = turns.length - answers.length;
  return `Used in ${answers.join('; ')}${moreCount > 0 ? ` and ${moreCount} more` : ''}.`;
}
