import { classes } from '../../../ui/classes.ts';
import type { CellFacts, Fold } from './cell-words.ts';
import { markLook } from './mark-look.ts';

const valueLook: Partial<Record<Fold['look'], string>> = {
  failed: 'font-[550] text-err-ink',
  'no answer': 'font-[550] text-warn-ink',
  passed: 'font-[550]',
};

const emptyWords: Partial<Record<CellFacts['look'], string>> = {
  waiting: '',
  stopped: 'not asked',
  'not loaded yet': '…',
};

interface CaseCellProps {
  id: string;
  label: string;
  facts: CellFacts;
  isCurrent: boolean;
  /** It stands open beside the grid. */
  isOpen: boolean;
  at: number;
  columnId: string;
}

/** One cell: its answers, equal ones folded, and its time or how many passed. */
export function CaseCell({ id, label, facts, isCurrent, isOpen, at, columnId }: CaseCellProps) {
  const { folds, note, look } = facts;
  const isMany = folds.some(({ count }) => count > 1) || folds.length > 1;
  return (
    <div
      id={id}
      role="gridcell"
      aria-label={label}
      aria-colindex={at}
      aria-selected={isCurrent}
      data-column={columnId}
      style={{ gridColumn: at }}
      className={`${isOpen ? 'shadow-[inset_0_0_0_2px_var(--ink)]' : ''} ${cellLook}`}
    >
      {folds.length === 0 ? (
        <span
          data-mark={look}
          className={classes(
            foldLook,
            look === 'running' ? 'font-[550] text-needle-ink' : 'text-ink-3',
            markLook(look),
          )}
        >
          {emptyWords[look] ?? look}
        </span>
      ) : (
        folds
          .slice(0, 2)
          .map((fold, index) =>
            index === 0 ? (
              <FirstFold key={index} fold={fold} isMany={isMany} />
            ) : (
              <SecondFold key={index} fold={fold} more={folds.length - 2} />
            ),
          )
      )}
      {/* The name of the cell says what is grey in its own order. */}
      <span aria-hidden className={noteLook}>
        {note}
      </span>
    </div>
  );
}

function FirstFold({ fold: { look, text, count, rest }, isMany }: { fold: Fold; isMany: boolean }) {
  const grey = isMany ? `×${count} ${rest}` : rest;
  const size = isMany ? 'text-12' : '';
  const value = valueLook[look] ?? 'font-[450]';
  if (grey === '')
    return (
      <span data-mark={look} className={classes(foldLook, size, value, markLook(look))}>
        {text}
      </span>
    );
  return (
    <span data-mark={look} className={classes(foldLook, size, markLook(look))}>
      <b className={`inline-block max-w-[70%] truncate align-bottom ${value}`}>{text}</b>
      <span aria-hidden className="ml-1.5 text-12 text-ink-3">
        {grey}
      </span>
    </span>
  );
}

function SecondFold({ fold: { look, text, count, rest }, more }: { fold: Fold; more: number }) {
  const color = look === 'failed' ? 'text-err-ink' : 'text-ink';
  const others = more > 0 ? `and ${more} more` : '';
  return (
    <span data-mark={look} aria-hidden className={classes(foldLook, 'text-12', color, markLook(look))}>
      {`${text} ×${count} ${rest} ${others}`}
    </span>
  );
}

// Lines of text and few boxes within boxes: while it scrolls, a frame lays out dozens of cells. Text and no `attr()` in
// `content`, which makes a box anew whenever its words change.
const cellLook = classes(
  'relative min-w-0 cursor-default content-center border-b border-l border-line px-3.5 pr-16 text-13 whitespace-nowrap',
  'group-focus-visible/cases:aria-selected:shadow-[inset_0_0_0_2px_var(--ink)]',
);
const foldLook = 'block truncate before:mr-1.5 before:inline-block before:align-[-2px]';
const noteLook = 'absolute inset-y-0 right-3 w-13 content-center text-right text-11 font-[450] text-ink-3';
