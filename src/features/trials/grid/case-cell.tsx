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
  const shown = folds.slice(0, 2);
  const more = folds.length - shown.length;
  const isMany = folds.some(({ count }) => count > 1) || folds.length > 1;
  return (
    <div
      id={id}
      role="gridcell"
      aria-label={label}
      aria-colindex={at}
      aria-selected={isCurrent}
      data-column={columnId}
      data-note={note}
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
        shown.map((fold, index) => (
          // What is grey is drawn and no text: the name of the cell says it in its own order.
          <span
            key={index}
            data-mark={fold.look}
            data-rest={[
              ...(index > 0 ? [fold.text] : []),
              ...(isMany ? [`×${fold.count}`] : []),
              fold.rest,
              more > 0 && index === 1 ? `and ${more} more` : '',
            ].join(' ')}
            className={classes(
              foldLook,
              'after:text-12 after:content-[attr(data-rest)]',
              isMany && 'text-12',
              index === 0
                ? 'after:ml-1.5 after:text-ink-3'
                : fold.look === 'failed'
                  ? 'after:text-err-ink'
                  : 'after:text-ink',
              markLook(fold.look),
            )}
          >
            {index === 0 && (
              <b
                className={`${fold.rest === '' ? '' : 'inline-block max-w-[70%] truncate align-bottom'} ${valueLook[fold.look] ?? 'font-[450]'}`}
              >
                {fold.text}
              </b>
            )}
          </span>
        ))
      )}
    </div>
  );
}

// Lines of text and no boxes within boxes: while it scrolls, a frame lays out dozens of cells.
const cellLook = classes(
  'relative min-w-0 cursor-default content-center border-b border-l border-line px-3.5 pr-16 text-13 whitespace-nowrap',
  'group-focus-visible/cases:aria-selected:shadow-[inset_0_0_0_2px_var(--ink)]',
  'after:absolute after:top-1/2 after:right-3 after:-translate-y-1/2 after:text-11 after:font-[450] after:text-ink-3 after:content-[attr(data-note)]',
);
const foldLook = 'block truncate before:mr-1.5 before:inline-block before:align-[-2px]';
