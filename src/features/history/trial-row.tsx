import type { Snippet } from '../../conversation/files/text-search.ts';
import { getDisplayTitle } from '../../lib/text/trim.ts';
import { useAppServices, useLazyTrials } from '../../state/contexts.tsx';
import { reportFailure } from '../../state/notices.ts';
import { getTrialPath } from '../../state/route.ts';
import type { Trials } from '../../state/trials/trials-store.ts';
import { Tag } from '../../ui/display/tag.tsx';
import { describeExtent, type TrialEntry } from './history-entries.ts';
import {
  HistoryCell,
  HistoryRow,
  HistoryTitleCell,
  MatchLink,
  ModelsAndLastUse,
  TitleField,
  RowTools,
  SearchSnippet,
  TitleLink,
} from './row-parts.tsx';
import { useHistoryRow } from './use-history-row.ts';

interface TrialRowProps {
  /** Index of the row in the table. */
  index: number;
  entry: TrialEntry;
  /** Current time, in epoch ms. */
  nowMs: number;
  /** The trial's text that contains the most search words. */
  snippet: Snippet | undefined;
}

/** Row of a trial. */
export function TrialRow({ index, entry, nowMs, snippet }: TrialRowProps) {
  const { notices, router } = useAppServices();
  const lazyTrials = useLazyTrials();
  const { id } = entry;
  const title = getDisplayTitle(entry.title);
  const path = getTrialPath(id);
  const runOnTrials = (action: (store: Trials) => Promise<void>) =>
    reportFailure(notices, lazyTrials.load().then(action));
  const { isRenaming, startRename, endRename } = useHistoryRow({
    title: entry.title,
    onRename: (next) => runOnTrials((store) => store.rename(id, next)),
  });
  const remove = () => runOnTrials((store) => store.remove(id));
  return (
    <HistoryRow index={index}>
      <HistoryCell className="max-phone:row-span-2" />
      <HistoryTitleCell>
        {isRenaming ? (
          <TitleField title={entry.title} label="Trial title" onDone={endRename} />
        ) : (
          <span className="flex items-center gap-2">
            <TitleLink href={path}>{title}</TitleLink>
            <Tag>Trial</Tag>
          </span>
        )}
        {snippet && (
          <MatchLink href={path}>
            <SearchSnippet snippet={snippet} {...(snippet.source === 'prompt' ? { label: 'Case' } : {})} />
          </MatchLink>
        )}
      </HistoryTitleCell>
      <HistoryCell className="text-ink-3 @max-4xl/page:hidden!">{describeExtent(entry)}</HistoryCell>
      <ModelsAndLastUse models={entry.trial.models} lastUsedAt={entry.updatedAt} nowMs={nowMs} />
      <RowTools
        title={title}
        onOpen={() => router.navigate({ screen: 'page', path })}
        onRename={startRename}
        onRemove={remove}
      />
    </HistoryRow>
  );
}
