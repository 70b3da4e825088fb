import { useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';

import { normalizeForSearch } from '../../../conversation/files/text-search.ts';
import { listTurnLines, type TurnLine } from '../../../conversation/find/turn-lines.ts';
import { pluralize } from '../../../lib/format.ts';
import { goToTurn } from '../../../state/find/find-store.ts';
import { usePlayground, useSession, useView } from '../../../state/use-playground.tsx';
import { KeyNames } from '../../../ui/display/keyboard-shortcut.tsx';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { useRowWindow } from '../../../ui/hooks/use-row-window.ts';
import { Search } from '../../../ui/icons.tsx';
import { useShownModal } from '../../../ui/overlays/use-modal-dialog.ts';
import { turnsButton } from '../playground-focus-targets.ts';
import { useHits } from './use-hits.ts';

const rowPx = 34;
const page = 9;

/** Every turn of the session in a line: what was asked, and how many hits are in it. Enter goes there. */
export function TurnsDialog({ onClose }: { onClose: () => void }) {
  const { find } = usePlayground();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const data = useSession((all) => all);
  const promptInView = useView((view) => view.promptInView);
  const { hits } = useHits();
  const [filter, setFilter] = useState('');
  const all = useMemo(() => (data ? listTurnLines(data, hits) : []), [data, hits]);
  const lines = useMemo(() => matching(all, filter), [all, filter]);
  const [chosen, setChosen] = useState<string | undefined>(promptInView ?? all.at(-1)?.promptId);
  const active = Math.max(
    0,
    lines.findIndex(({ promptId }) => promptId === chosen),
  );
  useShownModal(dialog);
  const { from, to } = useRowWindow(list, { count: lines.length, rowPx, active });
  const [place] = useState(() => turnsButton.element()?.getBoundingClientRect());

  const goTo = ({ promptId }: TurnLine) => {
    dialog.current?.close();
    onClose();
    goToTurn(find, promptId);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return event.stopPropagation();
    const line = lines[active];
    const next = lineAfter(event.key, active, lines.length);
    if (event.key !== 'Enter' && next === undefined) return;
    event.preventDefault();
    if (next !== undefined) setChosen(lines[next]?.promptId);
    else if (line) goTo(line);
  };

  return (
    <dialog
      ref={dialog}
      aria-label="Turns"
      closedby="any"
      className="fixed top-(--turns-top) left-(--turns-left) m-0 w-[min(560px,calc(100vw-16px))] overflow-hidden rounded-3 border border-line-2 bg-raised p-0 text-ink shadow-e-2 backdrop:bg-transparent open:flex open:flex-col max-phone:left-2"
      style={{ '--turns-top': `${(place?.bottom ?? 88) + 4}px`, '--turns-left': `${place?.left ?? 8}px` }}
      onClose={onClose}
    >
      <label className="flex h-10 flex-none items-center gap-2 border-b border-line px-3.5 text-13 text-ink-3">
        <Search className="icon-14" aria-hidden />
        <input
          type="search"
          aria-label="Filter turns"
          aria-controls={`${id}list`}
          aria-activedescendant={lines.length > 0 ? `${id}${active}` : undefined}
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
          {countWords(all, lines)}
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
        <div style={{ '--room': `${from * rowPx}px` }} className="h-(--room)" role="none" />
        {lines.slice(from, to).map((line, index) => {
          const at = from + index;
          return (
            <div
              key={line.promptId}
              id={`${id}${at}`}
              role="option"
              tabIndex={-1}
              aria-selected={at === active}
              aria-setsize={lines.length}
              aria-posinset={at + 1}
              className="grid h-8.5 cursor-default grid-cols-[40px_minmax(0,1fr)_auto_auto] items-center pr-3.5 pl-2 text-13 hover:bg-sunken aria-selected:bg-hover"
              onClick={() => goTo(line)}
              // The focus stays in the field.
              onPointerDown={(event) => event.preventDefault()}
            >
              <span
                className={`pr-2.5 text-right text-12 font-medium ${line.promptId === promptInView ? 'font-semibold text-needle-ink' : 'text-ink-3'}`}
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
                {line.better === 'equal' && 'equal'}
                {line.better !== undefined && line.better !== 'equal' && (
                  <>
                    <LaneTile letter={line.better} />
                    <span className="sr-only">{line.better} is better</span>
                  </>
                )}
              </span>
            </div>
          );
        })}
        <div style={{ '--room': `${(lines.length - to) * rowPx}px` }} className="h-(--room)" role="none" />
      </div>
      <footer className="flex h-9 flex-none items-center gap-1 border-t border-line bg-bench px-3.5 text-12 text-ink-2 max-phone:hidden">
        <KeyNames keys={[['↑', '↓']]} />
        <span className="mr-3">move</span>
        <KeyNames keys={[['Enter']]} />
        <span className="mr-3">go to the turn</span>
        <KeyNames keys={[['Home'], ['End']]} />
        <span>first, last</span>
      </footer>
    </dialog>
  );
}

function matching(lines: readonly TurnLine[], filter: string): readonly TurnLine[] {
  const wanted = normalizeForSearch(filter.trim());
  if (wanted === '') return lines;
  return lines.filter(
    ({ number, text }) => String(number) === wanted || normalizeForSearch(text).includes(wanted),
  );
}

function countWords(all: readonly TurnLine[], shown: readonly TurnLine[]): string {
  const withHits = all.filter(({ hitCount }) => hitCount > 0).length;
  const count =
    shown.length === all.length
      ? pluralize(all.length, 'turn')
      : `${shown.length} of ${pluralize(all.length, 'turn')}`;
  return withHits === 0 ? count : `${count}, ${withHits} with hits`;
}

function lineAfter(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined;
  const next: Record<string, number> = {
    ArrowDown: Math.min(count - 1, at + 1),
    ArrowUp: Math.max(0, at - 1),
    PageDown: Math.min(count - 1, at + page),
    PageUp: Math.max(0, at - page),
    Home: 0,
    End: count - 1,
  };
  return next[key];
}
