import { useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';

import { normalizeForSearch } from '../../conversation/files/text-search.ts';
import { listTurnLines, type TurnLine } from '../../conversation/find/turn-lines.ts';
import { pluralize } from '../../lib/format.ts';
import { useSession, useView, useSessionServices } from '../../state/contexts.tsx';
import { goToTurn } from '../../state/find/find-store.ts';
import { KeyboardShortcut } from '../../ui/display/keyboard-shortcut.tsx';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { useVirtualRows } from '../../ui/hooks/use-virtual-rows.ts';
import { Search } from '../../ui/icons.tsx';
import { useModalDialog } from '../../ui/overlays/use-modal-dialog.ts';
import { turnsButton } from '../workspace/playground-focus-targets.ts';
import { useHits } from './use-hits.ts';

const rowPx = 34;
const pageRows = 9;

/** List of all turns, one per line, with the prompt and the number of hits. Enter jumps to a turn. */
export function TurnsDialog({ onClose }: { onClose: () => void }) {
  const { find } = useSessionServices();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const data = useSession((session) => session);
  const promptInView = useView((view) => view.promptInView);
  const { hits } = useHits();
  const [filter, setFilter] = useState('');
  const allLines = useMemo(() => (data ? listTurnLines(data, hits) : []), [data, hits]);
  const lines = useMemo(() => filterLines(allLines, filter), [allLines, filter]);
  const [selectedPromptId, setSelectedPromptId] = useState<string | undefined>(
    promptInView ?? allLines.at(-1)?.promptId,
  );
  const activeIndex = Math.max(
    0,
    lines.findIndex(({ promptId }) => promptId === selectedPromptId),
  );
  useModalDialog(dialog);
  const virtualizer = useVirtualRows(list, { count: lines.length, rowPx, active: activeIndex });
  const [buttonRect] = useState(() => turnsButton.findElement()?.getBoundingClientRect());

  const selectTurn = ({ promptId }: TurnLine) => {
    dialog.current?.close();
    onClose();
    goToTurn(find, promptId);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return event.stopPropagation();
    const line = lines[activeIndex];
    const nextIndex = getLineAfterKey(event.key, activeIndex, lines.length);
    if (event.key !== 'Enter' && nextIndex === undefined) return;
    event.preventDefault();
    if (nextIndex !== undefined) setSelectedPromptId(lines[nextIndex]?.promptId);
    else if (line) selectTurn(line);
  };

  return (
    <dialog
      ref={dialog}
      aria-label="Turns"
      closedby="any"
      className="fixed top-(--turns-top) left-(--turns-left) m-0 w-[min(560px,calc(100vw-16px))] overflow-hidden rounded-3 border border-line-2 bg-raised p-0 text-ink shadow-e-2 backdrop:bg-transparent open:flex open:flex-col max-phone:left-2"
      style={{
        '--turns-top': `${(buttonRect?.bottom ?? 88) + 4}px`,
        '--turns-left': `${buttonRect?.left ?? 8}px`,
      }}
      onClose={onClose}
    >
      <label className="flex h-10 flex-none items-center gap-2 border-b border-line px-3.5 text-13 text-ink-3">
        <Search className="icon-14" aria-hidden />
        <input
          type="search"
          aria-label="Filter turns"
          aria-controls={`${id}list`}
          aria-activedescendant={lines.length > 0 ? `${id}${activeIndex}` : undefined}
          className="min-w-0 flex-1 bg-transparent text-13 text-ink outline-none placeholder:text-ink-3"
          dir="auto"
          placeholder="Filter turns"
          spellCheck={false}
          autoComplete="off"
          autoFocus
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <span role="status" className="text-12 whitespace-nowrap">
          {formatTurnCount(allLines, lines)}
        </span>
      </label>
      <div
        ref={list}
        className="max-h-[min(324px,50vh)] min-h-0 overflow-y-auto py-1"
        role="listbox"
        id={`${id}list`}
        aria-label="Turns"
        tabIndex={-1}
      >
        <div className="relative" role="none" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index: lineIndex, start }) => {
            const line = lines[lineIndex];
            return (
              line && (
                <button
                  key={line.promptId}
                  type="button"
                  id={`${id}${lineIndex}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={lineIndex === activeIndex}
                  aria-setsize={lines.length}
                  aria-posinset={lineIndex + 1}
                  style={{ transform: `translateY(${start}px)` }}
                  className="absolute inset-x-0 top-0 grid h-8.5 w-full cursor-default grid-cols-[40px_minmax(0,1fr)_auto_auto] items-center pr-3.5 pl-2 text-13 hover:bg-sunken aria-selected:bg-hover"
                  onClick={() => selectTurn(line)}
                  // Keeps the focus in the field.
                  onPointerDown={(event) => event.preventDefault()}
                >
                  <span
                    className={`pr-2.5 text-right text-12 font-500 ${line.promptId === promptInView ? 'font-600 text-needle-ink' : 'text-ink-3'}`}
                  >
                    {line.number}
                  </span>
                  <span className="truncate" dir="auto">
                    {line.text}
                  </span>
                  <span className="pl-3 text-right text-12 text-ink-2">
                    {line.hitCount > 0 && pluralize(line.hitCount, 'hit')}
                  </span>
                  <span className="min-w-11 text-right text-12 text-ink-3">
                    {line.winner === 'equal' && 'equal'}
                    {line.winner !== undefined && line.winner !== 'equal' && (
                      <>
                        <LaneTile letter={line.winner} />
                        <span className="sr-only">{line.winner} is better</span>
                      </>
                    )}
                  </span>
                </button>
              )
            );
          })}
        </div>
      </div>
      <footer className="flex h-9 flex-none items-center gap-1 border-t border-line bg-bench px-3.5 text-12 text-ink-2 max-phone:hidden">
        <KeyboardShortcut keys={[['↑', '↓']]} />
        <span className="mr-3">move</span>
        <KeyboardShortcut keys={[['Enter']]} />
        <span className="mr-3">go to turn</span>
        <KeyboardShortcut keys={[['Home'], ['End']]} />
        <span>first or last</span>
      </footer>
    </dialog>
  );
}

function filterLines(lines: readonly TurnLine[], filter: string): readonly TurnLine[] {
  const query = normalizeForSearch(filter.trim());
  if (query === '') return lines;
  return lines.filter(
    ({ number, text }) => String(number) === query || normalizeForSearch(text).includes(query),
  );
}

function formatTurnCount(all: readonly TurnLine[], visibleLines: readonly TurnLine[]): string {
  const hitTurnCount = all.filter(({ hitCount }) => hitCount > 0).length;
  const count =
    visibleLines.length === all.length
      ? pluralize(all.length, 'turn')
      : `${visibleLines.length} of ${pluralize(all.length, 'turn')}`;
  return hitTurnCount === 0 ? count : `${count}, ${hitTurnCount} with hits`;
}

function getLineAfterKey(key: string, index: number, count: number): number | undefined {
  if (count === 0) return undefined;
  const nextIndexes: Record<string, number> = {
    ArrowDown: Math.min(count - 1, index + 1),
    ArrowUp: Math.max(0, index - 1),
    PageDown: Math.min(count - 1, index + pageRows),
    PageUp: Math.max(0, index - pageRows),
    Home: 0,
    End: count - 1,
  };
  return nextIndexes[key];
}
