import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useStore } from 'zustand';

import { formatRelativeTime } from '../../../lib/relative-time.ts';
import { sanitizeForSentence } from '../../../lib/text/safe-text.ts';
import { getDisplayTitle } from '../../../lib/text/trim.ts';
import { useLibraryServices, useAppServices } from '../../../state/contexts.tsx';
import type { AppServices } from '../../../state/create-playground.ts';
import { reportFailure, showToast } from '../../../state/notices.ts';
import { getTrialPath } from '../../../state/route.ts';
import type { TrialSummary, Trials } from '../../../state/trials/trials-store.ts';
import type { TrialId } from '../../../trials/trial.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { StatusLabel } from '../../../ui/display/status-label.tsx';
import { CheckIcon, Plus, Search, Square } from '../../../ui/icons.tsx';
import { Pause, Upload } from '../../../ui/late-icons.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { CaseDrop } from '../cases/case-drop.tsx';
import { openCaseFile } from '../cases/open-case-file.ts';
import { formatUnknownGateway } from '../format-problems.ts';
import { formatTrialState } from '../progress/format-progress.ts';
import { openTrialPage } from '../trial-routes.ts';
import { useTrials } from '../use-trial.ts';
import { describeVerdict } from '../verdict/format-verdict.ts';
import type { RichText } from '../verdict/rich-text.ts';
import { VerdictSentence } from '../verdict/verdict-sentence.tsx';
import { createEmptyTrial, createTrialWithCases } from './create-trials.ts';
import { formatListCount, formatTrialSize } from './format-list.ts';
import { PromptfooDialog } from './promptfoo-dialog.tsx';
import { TrialStarters, TrialsEmptyState } from './trials-empty-state.tsx';

const maxBeginningBytes = 1_000;
/** Maximum size of a JSON text that is parsed to see if it is a promptfoo configuration. */
const maxSniffedBytes = 1_000_000;

/** List of all trials in this browser, or its empty state. */
export function TrialsList() {
  const { storage } = useLibraryServices();
  const { notices, router } = useAppServices();
  const trials = useTrials();
  const isOpening = useStore(storage, ({ mode }) => mode === 'opening');
  const { data: allTrials, error, refetch } = useTrialList();
  const [query, setQuery] = useState('');
  const matchingIds = useTrialSearch(query);
  const visibleTrials = (allTrials ?? []).filter(({ id }) => !matchingIds || matchingIds.has(id));
  const [promptfooConfig, setPromptfooConfig] = useState<File>();
  const importSource = (source: File | string) =>
    reportFailure(notices, importTrialOrCases({ router, notices }, trials, source).then(setPromptfooConfig));
  const hasTrials = allTrials !== undefined && allTrials.length > 0;
  return (
    <main
      className="flex min-h-0 flex-col overflow-hidden bg-paper [--lane:var(--ink)] [--wash:var(--sunken)]"
      data-region
    >
      <CaseDrop onSource={importSource} />
      {promptfooConfig && (
        <PromptfooDialog config={promptfooConfig} onClose={() => setPromptfooConfig(undefined)} />
      )}
      <div className="flex min-h-11 flex-none flex-wrap items-center gap-1.5 border-b border-line bg-bench px-4 py-1.5">
        <h1 className="text-13 font-[600]">Trials</h1>
        <span
          role="status"
          className="ml-2 text-12 text-ink-3 max-phone:order-1 max-phone:ml-0 max-phone:min-h-5 max-phone:w-full"
        >
          {allTrials &&
            !isOpening &&
            (hasTrials ? formatListCount(visibleTrials.length, allTrials.length) : 'No trials yet')}
        </span>
        <span className="grow" />
        {hasTrials && (
          <label className="flex h-7 w-50 items-center gap-2 rounded-2 border border-line-2 bg-paper px-2 text-ink-3 focus-within:border-ink max-phone:order-2 max-phone:h-11 max-phone:w-full">
            <Search className="icon-14" aria-hidden />
            <input
              type="search"
              aria-label="Find a trial"
              placeholder="Find a trial"
              dir="auto"
              spellCheck={false}
              className="min-w-0 flex-1 bg-transparent text-12 text-ink outline-none"
              value={query}
              onInput={(event) => setQuery(event.currentTarget.value)}
            />
          </label>
        )}
        <Button variant="ghost" onClick={() => openCaseFile(importSource, '.yaml,.yml')}>
          <Upload className="icon-14" aria-hidden />
          Import a trial
        </Button>
        <Button variant="primary" onClick={() => reportFailure(notices, createEmptyTrial(router, trials))}>
          <Plus className="icon-14" aria-hidden />
          New trial
        </Button>
      </div>
      <div className="min-h-0 flex-1 overflow-auto">
        {error && (
          <p className="flex flex-wrap items-center gap-3 px-4 py-6 text-13 text-ink-2">
            Could not load trials. Nothing was changed. {error.message}
            <Button onClick={() => void refetch()}>Try again</Button>
          </p>
        )}
        {isOpening && (
          <p className="px-4 py-4 text-13 text-ink-2">
            Loading older trials. Only new ones are listed so far.
          </p>
        )}
        {allTrials && !hasTrials && !isOpening && <TrialsEmptyState />}
        {hasTrials && <Table trials={visibleTrials} />}
        {hasTrials && visibleTrials.length === 0 && (
          <p className="px-4 py-6 text-13 text-ink-2">
            No trials match “{query.trim()}” in title, prompts or cases.
          </p>
        )}
        {hasTrials && (
          <div className="max-w-110 px-4 pt-10 pb-6">
            <TrialStarters title="Try an example" Heading="h2" />
          </div>
        )}
      </div>
    </main>
  );
}

function Table({ trials }: { trials: readonly TrialSummary[] }) {
  return (
    <table aria-label="Trials" className="w-full border-collapse max-phone:block">
      <thead className="max-phone:hidden">
        <tr className="h-9 border-b border-line-2 bg-bench text-left text-11 text-ink-3 [&>th]:px-4 [&>th]:font-[500]">
          <th scope="col">Trial</th>
          <th scope="col">Verdict</th>
          <th scope="col">Cases × columns</th>
          <th scope="col">State</th>
          <th scope="col">Changed</th>
          <th scope="col">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody className="max-phone:block">
        {trials.map((trial) => (
          <Row key={trial.id} trial={trial} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ trial }: { trial: TrialSummary }) {
  const { environment, notices, router } = useAppServices();
  const trials = useTrials();
  const sentence = useVerdictSentence(trial.id, trial.updatedAt);
  const { id, state, updatedAt } = trial;
  const title = getDisplayTitle(trial.title);
  return (
    <tr className="h-11 border-b border-line hover:bg-bench max-phone:relative max-phone:block max-phone:h-auto max-phone:py-2.5 [&>*]:px-4">
      <th scope="row" className="text-left font-[550] max-phone:block">
        <a href={getTrialPath(id)} className="inline-block py-1 hover:underline max-phone:min-h-6" dir="auto">
          {title}
        </a>
      </th>
      <td className="text-ink-2 max-phone:block">{sentence && <VerdictSentence text={sentence} />}</td>
      <td className="whitespace-nowrap max-phone:hidden">{formatTrialSize(trial)}</td>
      <td className="max-phone:block">
        <TrialStateLabel state={state} />
      </td>
      <td className="whitespace-nowrap text-ink-3 max-phone:hidden">
        {formatRelativeTime(updatedAt, environment.now())}
      </td>
      <td className="w-14 text-right max-phone:absolute max-phone:top-1 max-phone:right-0">
        <Menu
          label={`Menu for ${title}`}
          items={[
            { label: 'Open', onPick: () => openTrialPage(router, id) },
            {
              label: 'Delete',
              isDestructive: true,
              startsGroup: true,
              onPick: () => reportFailure(notices, trials.remove(id)),
            },
          ]}
        />
      </td>
    </tr>
  );
}

function TrialStateLabel({ state }: Pick<TrialSummary, 'state'>) {
  const stateStyles: Record<
    TrialSummary['state']['name'],
    { tone: 'live' | 'ok' | 'warn' | 'plain'; icon?: ReactNode }
  > = {
    draft: { tone: 'plain' },
    running: { tone: 'live' },
    paused: { tone: 'warn', icon: <Pause className="icon-14" aria-hidden /> },
    stopped: { tone: 'plain', icon: <Square className="icon-14" aria-hidden /> },
    finished: { tone: 'plain', icon: <CheckIcon className="icon-14" aria-hidden /> },
  };
  const { tone, icon } = stateStyles[state.name];
  return (
    <StatusLabel tone={tone} icon={icon} className="align-middle">
      {formatTrialState(state)}
    </StatusLabel>
  );
}

/**
 * Imports a trial. A promptfoo configuration is returned, and anything else becomes the source of the import dialog in
 * a new trial.
 */
async function importTrialOrCases(
  services: Pick<AppServices, 'router' | 'notices'>,
  trials: Trials,
  source: File | string,
): Promise<File | undefined> {
  const { isTrialFile } = await import('../../../trials/files/trial-file.ts');
  const file = typeof source === 'string' ? new File([source], 'the pasted text') : source;
  if (isTrialFile(await file.slice(0, maxBeginningBytes).text()))
    await importTrialFile(services, trials, file);
  else if (await hasPromptfooConfig(file)) return file;
  else await createTrialWithCases(services.router, trials, source);
  return undefined;
}

async function hasPromptfooConfig(file: File): Promise<boolean> {
  const { isPromptfooConfig } = await import('../../../trials/files/promptfoo/parse-promptfoo-config.ts');
  return isPromptfooConfig(file.name, await file.slice(0, maxSniffedBytes).text());
}

/** Opens the imported trial, or reports why it cannot be read. */
async function importTrialFile(
  { router, notices }: Pick<AppServices, 'router' | 'notices'>,
  trials: Trials,
  file: File,
): Promise<void> {
  const hasNavigated = router.trackNavigation();
  const outcome = await trials.importFile(await file.text());
  if (!outcome.ok) {
    const text = `Could not import ${sanitizeForSentence(file.name)}. Line ${outcome.line}: ${outcome.reason} Nothing was changed.`;
    notices.setState({ notice: { severity: 'problem', text } });
    return;
  }
  if (!hasNavigated()) openTrialPage(router, outcome.id);
  const importedText = `Imported “${sanitizeForSentence(outcome.title)}”.`;
  if (outcome.unknownGateways.length > 0) {
    const text = [importedText, ...outcome.unknownGateways.map(formatUnknownGateway)].join(' ');
    notices.setState({ notice: { severity: 'note', text } });
  } else showToast(notices, importedText);
}

const freshQueryOptions = {
  placeholderData: keepPreviousData,
  staleTime: 0,
  gcTime: 0,
  retry: false,
} as const;

/** Returns the stored trials, newest first; reloads them whenever one may have changed. */
function useTrialList() {
  const trials = useTrials();
  const changes = useStore(trials.changes, ({ count }) => count);
  return useQuery({ queryKey: ['trials', changes], queryFn: () => trials.list(), ...freshQueryOptions });
}

/** Returns the first line of a trial's verdict once it is computed. */
function useVerdictSentence(id: TrialId, updatedAt: number): RichText | undefined {
  const trials = useTrials();
  const { data } = useQuery({
    queryKey: ['trial sentence', id, updatedAt],
    queryFn: async () => {
      const counted = await trials.getVerdict(id);
      return { sentence: counted && describeVerdict(counted).first };
    },
    ...freshQueryOptions,
  });
  return data?.sentence;
}

/** Returns the trials that contain every word of the query; `undefined` without a query. */
function useTrialSearch(query: string): ReadonlySet<TrialId> | undefined {
  const trials = useTrials();
  const changes = useStore(trials.changes, ({ count }) => count);
  const trimmedQuery = query.trim();
  const { data } = useQuery({
    queryKey: ['found trials', trimmedQuery, changes],
    queryFn: async ({ signal }) => new Set((await trials.search(trimmedQuery, signal)).keys()),
    enabled: trimmedQuery !== '',
    ...freshQueryOptions,
  });
  return trimmedQuery === '' ? undefined : data;
}
