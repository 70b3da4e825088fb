import { classes } from '../../../ui/cn.ts';
import type { CellFacts, Fold } from './format-cell.ts';
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
    <>
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
        {folds.length === 0 && (
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
        )}
        {folds
          .slice(0, 2)
          .map((fold, index) =>
            isMany ? (
              <OneOfMany key={index} fold={fold} isFirst={index === 0} more={folds.length - 2} />
            ) : (
              <OnlyAnswer key={index} fold={fold} />
            ),
          )}
      </div>
      {/* Not in the cell, whose name does not have it. */}
      <span aria-hidden style={{ gridColumn: `${at} / ${at + 1}` }} className={noteLook}>
        {note}
      </span>
    </>
  );
}

function OnlyAnswer({ fold: { look, text, rest } }: { fold: Fold }) {
  const value = valueLook[look] ?? 'font-[450]';
  const line = classes(foldLook, markLook(look));
  if (rest === '')
    return (
      <span data-mark={look} className={`${line} ${value}`}>
        {text}
      </span>
    );
  return (
    <span data-mark={look} className={line}>
      <b className={`${beforeRest} ${value}`}>{text}</b>{' '}
      <span className="ml-0.5 text-12 text-ink-3">{rest}</span>
    </span>
  );
}

/** What is grey is drawn and no text: the name of the cell says it in its own order. */
function OneOfMany({ fold, isFirst, more }: { fold: Fold; isFirst: boolean; more: number }) {
  const { look, text, count, rest } = fold;
  return (
    <span
      data-mark={look}
      data-rest={[
        ...(isFirst ? [] : [text]),
        `×${count}`,
        rest,
        !isFirst && more > 0 ? `and ${more} more` : '',
      ].join(' ')}
      className={classes(
        foldLook,
        'text-12 after:content-[attr(data-rest)]',
        isFirst
          ? 'after:ml-1.5 after:text-ink-3'
          : look === 'failed'
            ? 'after:text-err-ink'
            : 'after:text-ink',
        markLook(look),
      )}
    >
      {isFirst && <b className={`${beforeRest} ${valueLook[look] ?? 'font-[450]'}`}>{text}</b>}
    </span>
  );
}

// Lines of text and few boxes within boxes: while it scrolls, a frame lays out dozens of cells. No `attr()` where each cell
// would have one: it makes new styles and a new box whenever an attribute of the cell changes.
const cellLook = classes(
  'min-w-0 cursor-default content-center border-b border-l border-line px-3.5 pr-16 text-13 whitespace-nowrap',
  'group-focus-visible/cases:aria-selected:shadow-[inset_0_0_0_2px_var(--ink)]',
);
const foldLook = 'block truncate before:mr-1.5 before:inline-block before:align-[-2px]';
const beforeRest = 'inline-block max-w-[70%] truncate align-bottom';
const noteLook =
  'pointer-events-none absolute inset-y-0 right-3 w-13 content-center text-right text-11 font-[450] whitespace-nowrap text-ink-3';
