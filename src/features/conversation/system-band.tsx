import { clsx } from 'clsx';
import { use, useRef, type ComponentProps } from 'react';

import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { Lane, LaneId } from '../../conversation/session/types.ts';
import { getSystemKey, withSystemRole } from '../../conversation/setup/setup.ts';
import { isTooLongForField } from '../../lib/text/field-limit.ts';
import { useSessionServices, useSessionShallow, useView } from '../../state/contexts.tsx';
import { Select, type SelectOption } from '../../ui/controls/select.tsx';
import { TextArea } from '../../ui/controls/text-area.tsx';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { lazyComponent } from '../../ui/hooks/lazy-component.tsx';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { BandColumns, MessageBand } from '../workspace/message-band.tsx';
import { OnlyLaneContext, useIsLaneHidden } from '../workspace/only-lane-context.ts';
import { systemPrompt } from '../workspace/playground-focus-targets.ts';
import { useIsSystemPromptShared } from './shared-system-prompt.ts';

const SystemTools = lazyComponent(
  'The tools of the system prompt',
  async () => (await import('./system-tools.tsx')).SystemTools,
  { fallback: null, loadTiming: 'first' },
);
const MarkedWords = lazyComponent(
  'The marked words',
  async () => (await import('./marked-words.tsx')).MarkedWords,
  { fallback: null },
);

/**
 * System prompt, edited in place: one field across all lanes that share it, or one per lane. It is sent first, and only
 * if it is not empty.
 */
export function SystemBand() {
  const lanes =
    useSessionShallow((data) => data.session.laneIds.flatMap((laneId) => data.lanes[laneId] ?? [])) ?? [];
  const isShared = useIsSystemPromptShared();
  const namesHidden = useView((view) => view.namesHidden);
  const [firstLane] = lanes;
  const isEmpty = lanes.every(({ setup }) => setup.system === '');
  const laneIds = lanes.map((lane) => lane.id);
  if (!firstLane) return null;
  const hasDifferentPrompts = new Set(lanes.map(({ setup }) => getSystemKey(setup))).size > 1;
  if (namesHidden && hasDifferentPrompts) {
    return (
      <SystemBox isEmpty={false}>
        <MessageBand as="div" className="border-b">
          <BandColumns isInColumn={false} className="max-phone:grid-cols-[56px_minmax(0,1fr)]">
            <span>System</span>
            <span className="text-13/5.5 text-ink-3">
              Different in each lane, hidden until you show the names.
            </span>
            <span />
          </BandColumns>
        </MessageBand>
      </SystemBox>
    );
  }
  if (isShared) {
    return (
      <SystemBox isEmpty={isEmpty}>
        <SystemField laneIds={laneIds} setup={firstLane.setup} />
      </SystemBox>
    );
  }
  return (
    <SystemBox
      isEmpty={isEmpty}
      className="grid grid-cols-(--lane-columns) border-b border-line bg-bench print:grid-cols-[repeat(auto-fit,minmax(min(100%,200px),1fr))]"
    >
      {lanes.map((lane, index) => (
        <SystemField
          key={lane.id}
          index={index}
          laneIds={[lane.id]}
          setup={lane.setup}
          comparedText={index === 0 ? undefined : firstLane.setup.system}
        />
      ))}
    </SystemBox>
  );
}

/**
 * Box of the system prompts. In a low window an empty one takes up no space; a button in the lane header opens it. It
 * is not printed.
 */
function SystemBox({ isEmpty, className, ...rest }: ComponentProps<'div'> & { isEmpty: boolean }) {
  return (
    <div
      className={clsx(
        'group/system',
        className,
        isEmpty && [
          'low:not-focus-within:absolute low:not-focus-within:inset-x-0 low:not-focus-within:top-0',
          'low:not-focus-within:z-1 low:not-focus-within:h-0.5 low:not-focus-within:overflow-hidden',
          'print:hidden low:not-focus-within:opacity-0',
        ],
      )}
      {...rest}
    />
  );
}

interface SystemFieldProps {
  laneIds: readonly LaneId[];
  setup: Lane['setup'];
  /** Position of the only lane that has the prompt. */
  index?: number;
  /** Prompt of the first lane; words that are not in it are marked. */
  comparedText?: string | undefined;
}

function SystemField({ laneIds, setup, index, comparedText }: SystemFieldProps) {
  const { actions } = useSessionServices();
  const { system, systemRole } = setup;
  const letter = index === undefined ? undefined : getLaneLetter(index);
  const nameSuffix = letter === undefined ? '' : `, lane ${letter}`;
  const onlyLaneId = use(OnlyLaneContext);
  const isHidden = useIsLaneHidden(laneIds[0]);
  const isSent = system.trim() !== '';
  // In a short window, a button in the lane header opens the system prompt.
  const isLowWindow = useMediaQuery('(width >= 600px) and (height < 800px)');
  const marks = useRef<HTMLDivElement>(null);
  const isMarked =
    comparedText !== undefined &&
    comparedText !== system &&
    ![comparedText, system].some((text) => isTooLongForField(text));
  const fieldClasses = clsx(
    'max-h-44 w-full text-13/5.5 font-400 normal-nums print:max-h-none',
    // The focus ring lies within the band, next to the text.
    'max-phone:-mx-2 max-phone:min-h-11 max-phone:w-[calc(100%+16px)] max-phone:px-2 max-phone:py-2.75',
    'max-phone:text-[16px]/5.5',
    isMarked && '[scrollbar-gutter:stable]',
  );
  return (
    <MessageBand
      as="div"
      className={clsx(
        index === undefined && 'border-b',
        index !== undefined && index > 0 && onlyLaneId === undefined && 'phone:border-l',
        index !== undefined && isHidden && 'hidden',
      )}
      {...(isSent ? { role: 'article', 'aria-label': 'System message' } : {})}
    >
      <BandColumns isInColumn={index !== undefined} className="max-phone:grid-cols-[56px_minmax(0,1fr)]">
        <span className="max-phone:pt-2.75">
          {letter === undefined ? 'System' : <LaneTile letter={letter} />}
        </span>
        <div className="flex min-w-0 items-start gap-2 max-phone:flex-col max-phone:gap-0">
          <div
            className={clsx(
              'grid w-full min-w-0 grid-cols-[minmax(0,1fr)] items-start [&>*]:[grid-area:1/1]',
              letter !== undefined && `lane-${letter.toLowerCase()}`,
            )}
          >
            {isMarked && (
              <div ref={marks} className={clsx(fieldClasses, 'overflow-hidden')}>
                <MarkedWords text={system} otherText={comparedText} />
              </div>
            )}
            <TextArea
              aria-label={`System prompt${nameSuffix}`}
              className={clsx(
                fieldClasses,
                'field-sizing-content resize-none text-ink outline-offset-4 max-phone:-outline-offset-2',
              )}
              dir="auto"
              rows={1}
              tabIndex={isLowWindow && system === '' ? -1 : 0}
              value={system}
              {...systemPrompt.attributes}
              placeholder="Add a system prompt"
              onText={(next) => actions.changeSetups(laneIds, (current) => ({ ...current, system: next }))}
              onScroll={(event) => marks.current?.scrollTo({ top: event.currentTarget.scrollTop })}
            />
          </div>
          <span
            className={clsx(
              '-my-px flex flex-none items-center gap-1 print:hidden',
              system === '' && 'low:group-not-focus-within/system:hidden',
            )}
          >
            {isSent && (
              <Select
                label={`System prompt role${nameSuffix}`}
                value={systemRole}
                options={systemRoles}
                placeholder="as system"
                onChange={(next) =>
                  actions.changeSetups(laneIds, (current) =>
                    withSystemRole(current, next === 'developer' ? next : undefined),
                  )
                }
              />
            )}
            <SystemTools laneIds={laneIds} index={index} isSent={isSent} />
          </span>
        </div>
        <span />
      </BandColumns>
    </MessageBand>
  );
}

const systemRoles: readonly SelectOption<'system' | 'developer'>[] = [
  { value: 'system', label: 'system' },
  { value: 'developer', label: 'developer', note: 'newer models' },
];
