import { useState } from 'react';

import type { TurnSummary } from '../../conversation/comparison/summary.ts';
import { buildSummaryMarkdown } from '../../conversation/files/markdown-export.ts';
import { getDisplayTitle } from '../../lib/text/trim.ts';
import { useSession, useSessionServices, useAppServices } from '../../state/contexts.tsx';
import { reportFailure } from '../../state/notices.ts';
import { setPanelOpen } from '../../state/sessions/view-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { CheckIcon, PresentationIcon } from '../../ui/icons.tsx';
import { Copy, Download } from '../../ui/late-icons.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { copyMarkdown } from '../session-files/copy-markdown.ts';
import { saveSessionFile, useSessionFileServices } from '../session-files/session-file-actions.ts';
import { SummaryTable } from './summary-table.tsx';
import { useSummary } from './use-summary.ts';
import { VoteRadioGroup } from './vote-row.tsx';

/** Session summary: a table of lanes, a table of turns, and ways to share them. */
export function SummaryDialog({ onClose }: { onClose: () => void }) {
  const fileServices = useSessionFileServices();
  const { view } = useSessionServices();
  const { notices } = useAppServices();
  const announce = useAnnounce();
  const sessionId = useSession((data) => data.session.id) ?? '';
  const summary = useSummary();
  const [copied, setCopied] = useState<boolean>();
  if (!summary) return null;
  const copy = async () => {
    const worked = await copyMarkdown(buildSummaryMarkdown(summary));
    setCopied(worked);
    announce(worked ? 'Copied the summary.' : 'The browser blocked copying.');
  };
  return (
    <Dialog
      title="Summary"
      className="phone:w-[min(1080px,calc(100vw-32px))]"
      onClose={onClose}
      note={
        <span className="min-w-0 truncate text-12 text-ink-3">
          {getDisplayTitle(summary.title)} · {summary.extent}
        </span>
      }
      footer={
        <div className="flex w-full flex-wrap items-center justify-end gap-2">
          <span className="min-w-0 flex-1 basis-60 text-12 text-ink-3">
            {copied === false ? 'The browser blocked copying.' : summary.notes.slice(1).join(' ')}
          </span>
          <Button onClick={() => void copy()}>
            {copied ? (
              <CheckIcon className="icon-14" aria-hidden />
            ) : (
              <Copy className="icon-14" aria-hidden />
            )}
            Copy as Markdown
          </Button>
          <Button
            onClick={() => {
              onClose();
              setPanelOpen(view, 'stage at the summary');
            }}
          >
            <PresentationIcon className="icon-14" aria-hidden />
            Show on the stage
          </Button>
          <Button
            variant="primary"
            onClick={() => reportFailure(notices, saveSessionFile(fileServices, sessionId, 'html'))}
          >
            <Download className="icon-14" aria-hidden />
            Share answers (HTML)
          </Button>
        </div>
      }
    >
      <div className="overflow-x-auto">
        <SummaryTable summary={summary} />
      </div>
      <table aria-label="By turn" className="mt-5 w-full border-collapse text-13">
        <caption className="pb-1.5 text-left text-11 text-ink-3">By turn</caption>
        <tbody>
          {summary.turns.map((turn) => (
            <TurnRow key={turn.promptId} turn={turn} />
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}

function TurnRow({ turn }: { turn: TurnSummary }) {
  const { actions } = useSessionServices();
  const announce = useAnnounce();
  // The voting buttons stay open after a vote, so that it can be withdrawn.
  const [isVoting, setIsVoting] = useState(false);
  return (
    <tr className="border-b border-line [&>*]:py-1.5 [&>*]:text-left">
      <th scope="row" className="w-9 font-450 text-ink-3">
        <span className="sr-only">Turn </span>
        {turn.number}
      </th>
      <td className="pr-4 wrap-anywhere" dir="auto">
        {turn.promptText}
      </td>
      <td className="w-px whitespace-nowrap">
        <span className="flex justify-end">
          {isVoting && turn.turnVote ? (
            <VoteRadioGroup
              turnVote={turn.turnVote}
              choose={(choice) => announce(actions.setVote(turn.promptId, choice))}
            />
          ) : turn.winner === undefined ? (
            turn.canVote && (
              <Button variant="ghost" size="small" className="underline" onClick={() => setIsVoting(true)}>
                Vote<span className="sr-only"> on turn {turn.number}</span>
              </Button>
            )
          ) : (
            <BetterLane better={turn.winner} />
          )}
        </span>
      </td>
    </tr>
  );
}

function BetterLane({ better: winner }: { better: string }) {
  if (winner === 'Equal') return winner;
  return (
    <span className="flex items-center gap-2">
      <LaneTile letter={winner} />
      <span className="sr-only">Lane {winner} is </span>better
    </span>
  );
}
