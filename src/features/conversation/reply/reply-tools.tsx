import { clsx } from 'clsx';
import { use, type ComponentProps } from 'react';

import { getContentText } from '../../../conversation/request/request.ts';
import { maxLanes } from '../../../conversation/session/lanes.ts';
import { describeLaterTurns } from '../../../conversation/session/prompt-rows.ts';
import { getAnswerVersions } from '../../../conversation/session/turn-tree.ts';
import type { Turn } from '../../../conversation/session/types.ts';
import type { Message } from '../../../gateway/wire.ts';
import { markdownToPlainText } from '../../../markdown/tree/markdown-plain-text.ts';
import {
  useSession,
  useSessionShallow,
  useSessionServices,
  useAppServices,
} from '../../../state/contexts.tsx';
import { reportFailure } from '../../../state/notices.ts';
import { IconButton, iconButtonVariants } from '../../../ui/controls/icon-button.tsx';
import { Toolbar } from '../../../ui/controls/toolbar.tsx';
import { copyText } from '../../../ui/display/copy-text.ts';
import { CheckIcon, RotateCw } from '../../../ui/icons.tsx';
import { Copy } from '../../../ui/late-icons.tsx';
import { Menu, type MenuItem } from '../../../ui/overlays/menu.tsx';
import { VoteRowContext, useTurnVote } from '../../compare/use-turn-vote.ts';
import { useHasVoteRows } from '../../compare/vote-row.tsx';
import { VoteToggle } from '../../compare/vote-toggle.tsx';
import { InspectButton } from '../../inspector/inspect-button.tsx';
import { copyMarkdown } from '../../session-files/copy-markdown.ts';
import { editButton } from '../../workspace/playground-focus-targets.ts';
import { useMessageActions } from '../message/use-message-actions.ts';
import { VersionStepper } from '../message/version-stepper.tsx';
import { remarkMarks, type RemarkMark } from './remark-marks.ts';

interface Props {
  turn: Turn;
  /** Selected answer as a message. */
  message: Message;
  /** True while the raw text is shown. */
  isRaw: boolean;
  onRawChange: (raw: boolean) => void;
  onEdit: () => void;
  onEditNote: () => void;
}

/** Row that has its final height even while it is empty, so that rows do not move when they come into view. */
export function ReplyToolsRow({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      className={clsx(
        'mt-1.5 -ml-1.25 flex min-h-7 flex-wrap items-center gap-0.5 max-phone:-ml-3 max-phone:gap-0',
        className,
      )}
      {...rest}
    />
  );
}

/** Actions on an answer, and the stepper through its versions. */
export function ReplyTools(props: Props) {
  const { turn, message } = props;
  const { actions } = useSessionServices();
  const versionIds =
    useSessionShallow((data) => getAnswerVersions(data, turn).map((version) => version.id)) ?? [];
  // Runs for each token of any lane, and most answers have only one version.
  const laterText = useSession((data) =>
    versionIds.length < 2 ? undefined : describeLaterTurns(data, getAnswerVersions(data, turn), turn.id),
  );
  const hasVoteRows = useHasVoteRows();
  const text = getContentText(message.content);
  return (
    <Toolbar render={<ReplyToolsRow />} aria-label="Answer">
      {/* Wraps evenly into two rows on phones if one is not enough. */}
      <span
        className={clsx(
          'inline-flex items-center max-phone:max-w-55 max-phone:flex-wrap',
          '[transition:opacity_90ms] [@media(hover:hover)]:group-[:not(:hover,:focus-within)]/older:opacity-0',
        )}
      >
        <IconButton label="Copy" size="small" disabled={text === ''} onClick={() => void copyMarkdown(text)}>
          <Copy className="icon-14" aria-hidden />
        </IconButton>
        <IconButton label="Regenerate" size="small" onClick={() => void actions.regenerate([turn.id])}>
          <RotateCw className="icon-14" aria-hidden />
        </IconButton>
        <InspectButton turn={turn} />
        {!hasVoteRows && <VoteToggle turnId={turn.id} />}
        <MoreActions {...props} showsEqual={!hasVoteRows} />
      </span>
      <VersionStepper
        className="ml-1.5"
        current={versionIds.indexOf(turn.id) + 1}
        count={versionIds.length}
        laterText={laterText}
        onStep={(step) => actions.stepAnswer(turn.id, step)}
      />
    </Toolbar>
  );
}

const markOptions: readonly RemarkMark[] = ['good', 'bad', 'star'];

/** Menu with less frequent actions. `showsEqual` includes voting for a tie, for windows without vote rows. */
function MoreActions({
  turn,
  message,
  isRaw,
  onRawChange,
  onEdit,
  onEditNote,
  showsEqual,
}: Props & { showsEqual: boolean }) {
  const { actions } = useSessionServices();
  const { notices } = useAppServices();
  const { setRemark } = useMessageActions();
  const { turnVote, choose } = useTurnVote(use(VoteRowContext));
  const isLaneLimitReached = useSession((data) => data.session.laneIds.length >= maxLanes) ?? false;
  const { mark, text: note } = turn.remark ?? {};
  const text = getContentText(message.content);
  const toDisabledProps = (reason: string | false | undefined) =>
    typeof reason === 'string' ? { disabledReason: reason } : {};
  const noTextReason = text === '' && 'No text';
  const markItems = markOptions.map((option): MenuItem => {
    const { word, icon: Icon } = remarkMarks[option];
    const isSet = mark === option;
    return {
      label: word,
      icon: isSet ? <CheckIcon className="icon-14" aria-hidden /> : <Icon className="icon-14" aria-hidden />,
      ...(isSet ? { hint: 'Remove' } : {}),
      onPick: () => setRemark(turn.id, { mark: isSet ? undefined : option, text: note }),
    };
  });
  const equalItems: MenuItem[] =
    showsEqual && turnVote
      ? [
          {
            label: 'Equal',
            startsGroup: true,
            ...(turnVote.vote?.winner === 'equal'
              ? { icon: <CheckIcon className="icon-14" aria-hidden />, hint: 'Remove' }
              : {}),
            ...toDisabledProps(turnVote.disabledReason),
            onPick: () => choose('equal'),
          },
        ]
      : [];
  const items: MenuItem[] = [
    ...markItems,
    { label: note === undefined ? 'Add note' : 'Change note', onPick: onEditNote },
    ...equalItems,
    { label: 'Edit', startsGroup: true, onPick: onEdit },
    {
      label: 'Branch',
      hint: 'Into a new lane',
      ...toDisabledProps(isLaneLimitReached && `Limit: ${maxLanes} lanes`),
      onPick: () => actions.branchToLane(turn.id, 'reply'),
    },
    {
      label: 'Continue in a new session',
      onPick: () => reportFailure(notices, actions.branchToSession(turn.id, 'reply')),
    },
    {
      label: isRaw ? 'Show formatted text' : 'Show raw text',
      startsGroup: true,
      ...toDisabledProps(noTextReason),
      onPick: () => onRawChange(!isRaw),
    },
    {
      label: 'Copy as plain text',
      ...toDisabledProps(noTextReason),
      onPick: () => void copyText(markdownToPlainText(text)),
    },
    {
      label: 'Copy as JSON',
      hint: 'Whole message',
      onPick: () => void copyText(JSON.stringify(message, null, 2)),
    },
    {
      label: 'Delete',
      hint: 'And everything after it',
      isDestructive: true,
      startsGroup: true,
      onPick: () => void actions.deleteTurns([turn.id]),
    },
  ];
  return (
    <Menu
      label="More actions"
      className={iconButtonVariants({ size: 'small' })}
      placement="start"
      focusTarget={editButton}
      items={items}
    />
  );
}
