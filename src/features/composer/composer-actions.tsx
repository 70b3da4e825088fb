import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

import { isTextFile } from '../../conversation/request/message-files.ts';
import { pluralize } from '../../lib/format.ts';
import { useSession, useSessionServices } from '../../state/contexts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { ignoreRepeatedPresses } from '../../ui/controls/repeated-presses.ts';
import { SectionBoundary } from '../../ui/display/boundary.tsx';
import { RotateCw } from '../../ui/icons.tsx';
import { AddMessageMenu } from './add-message-menu.tsx';
import { TargetCheckboxes } from './composer-targets.tsx';
import { ComposerTools } from './composer-tools.tsx';
import { MessageSize } from './message-size.tsx';
import { SetupChips } from './setup-chips.tsx';
import type { ComposerDraft } from './use-composer-draft.ts';
import type { Sending } from './use-sending.ts';

interface Props extends ComponentProps<typeof ComposerTools> {
  draft: ComposerDraft;
  sending: Sending;
}

/** Row below the field: tools, target lanes, remarks, and the buttons that send and stop. */
export function ComposerActions({ draft, sending, ...toolProps }: Props) {
  const { actions } = useSessionServices();
  const canRunAgain = useSession((data) => data.session.laneIds.some((id) => data.lanes[id]?.tip)) ?? false;
  const { isCompact, isOneRow } = toolProps;
  const { disabledReason, pendingResults } = sending;
  const toolClassName = clsx(!toolProps.isExpanded && 'max-phone:hidden');
  return (
    <div
      className={clsx(
        'flex-wrap items-center gap-1 py-1.5 pr-1.5 pl-3.5',
        'max-phone:p-1 max-phone:[&_kbd]:hidden',
        isOneRow && 'max-phone:pointer-events-none max-phone:absolute max-phone:inset-x-0',
        isOneRow && 'max-phone:bottom-0 max-phone:[&>*]:pointer-events-auto',
        isCompact ? 'contents' : 'flex',
      )}
    >
      <SectionBoundary name="The message toolbar">
        <ComposerTools {...toolProps} />
        <SetupChips targets={sending.targets} isCompact={isCompact} className={toolClassName} />
        <TargetCheckboxes className={clsx(toolClassName, isCompact && 'order-2')} />
      </SectionBoundary>
      {sending.warnings.map((warning) => (
        <Remark key={warning} isWarning>
          {warning}
        </Remark>
      ))}
      {pendingResults && !draft.isEmpty && (
        <Remark>
          {pendingResults.canSend ? pendingResults.missingText : 'Tool calls without results are not sent.'}
        </Remark>
      )}
      {/* The content is right-aligned in a box of constant size, so that changes do not move other elements. */}
      <span
        className={clsx(
          'flex items-center justify-end text-12 text-ink-3 normal-nums max-phone:-order-1 max-phone:gap-1',
          isCompact ? 'order-3 ml-2 flex-none gap-1' : 'flex-1 gap-2.5',
          isOneRow && 'max-phone:flex-none',
        )}
      >
        {!draft.isEmpty && !isCompact && (
          <MessageSize
            text={draft.sentText}
            imageCount={draft.images.length}
            fileCount={draft.files.filter((file) => !isTextFile(file)).length}
            targets={sending.targets}
            className={toolClassName}
          />
        )}
        {canRunAgain && !sending.isBusy && (
          <IconButton
            label="Run again"
            className={toolClassName}
            onClick={() => void actions.regenerateLastTurns()}
          >
            <RotateCw className="icon-14" aria-hidden />
          </IconButton>
        )}
        {disabledReason !== undefined && !sending.isSendPending && !isCompact && (
          <span className={clsx('text-12 text-ink-2', toolClassName)}>{disabledReason}</span>
        )}
        {sending.isStopVisible ? (
          <Button
            variant="stop"
            size="big"
            // Both buttons are one element, whose colours must not fade from one to the other.
            className="min-w-26 transition-none max-phone:w-11 max-phone:min-w-11 max-phone:rounded-[10px]"
            {...ignoreRepeatedPresses}
            onClick={sending.stop}
          >
            <span
              className="size-2.5 flex-none rounded-[2px] bg-needle max-phone:size-3.5 max-phone:rounded-[3px]"
              aria-hidden
            />
            <span className="max-phone:text-[0px]">Stop</span> <kbd key="Esc">Esc</kbd>
          </Button>
        ) : (
          <Button
            variant="primary"
            size="big"
            className="min-w-26 transition-none max-phone:min-w-11 max-phone:rounded-[10px]"
            // Not disabled, because a press announces the reason.
            aria-disabled={sending.isSendDisabled}
            title={sending.sendTitle}
            {...ignoreRepeatedPresses}
            onClick={() => void sending.send()}
          >
            Send
            {pendingResults?.canSend &&
              !draft.isEmpty &&
              ` with ${pluralize(pendingResults.count, 'result')}`}{' '}
            <kbd>Enter</kbd>
          </Button>
        )}
        <span className={toolClassName}>
          <AddMessageMenu draft={draft} targets={sending.targets} />
        </span>
      </span>
    </div>
  );
}

/** Note beside the buttons; on phones in a row of its own. */
function Remark({ isWarning = false, children }: { isWarning?: boolean; children: ReactNode }) {
  return (
    <span
      className={clsx(
        'max-phone:order-9 max-phone:flex-[1_0_100%] max-phone:px-2 max-phone:pb-1.5',
        isWarning ? 'text-12 text-warn-ink normal-nums' : 'text-ink-3',
      )}
    >
      {children}
    </span>
  );
}
