import type { LearnedAbilities } from '../../conversation/setup/learned-abilities.ts';
import type { ModelRecord } from '../../gateway/models/model-record.ts';
import { formatCount, formatDuration } from '../../lib/format.ts';
import { classes } from '../../ui/cn.ts';
import { CornerDownLeft, Star } from '../../ui/icons.tsx';
import { matchOf, type Hit } from './match-models.ts';
import { ModelAbilities } from './model-abilities.tsx';
import { ModelId } from './model-id.tsx';
import type { ModelOption } from './picker-options.ts';
import { useListedPrice } from './use-model-price.ts';

/** Lists further facts about a model: problems first, then its owner. */
function listNotes({ id, ownedBy, state, shutdownDate, timesListed }: ModelRecord): string[] {
  const owner = ownedBy?.trim() ?? '';
  const isInId = id.toLowerCase().startsWith(`${owner.toLowerCase()}/`);
  return [
    ...(state === undefined ? [] : [state]),
    ...(shutdownDate === undefined ? [] : [`shutdown ${shutdownDate}`]),
    ...(timesListed === undefined ? [] : [`listed ${timesListed} times`]),
    ...(owner === '' || isInId ? [] : [`by ${owner}`]),
  ];
}

interface ModelRowProps {
  option: ModelOption;
  /** What runs have shown of it. */
  learned: LearnedAbilities;
  /** Milliseconds to the first token of its last answer; `unmeasured`: it was used, and when that came is not known. */
  firstToken: number | 'unmeasured' | undefined;
  query: string;
  isFavourite: boolean;
  onStar: () => void;
}

const factLook = classes('flex-none overflow-hidden text-right text-12 text-ellipsis tabular-nums');
/** What is known of a model that chats: in rows, and over them the names of that. */
export const columnsLook = classes(
  'grid-cols-[minmax(0,1fr)_84px_104px] group-has-data-price/models:grid-cols-[minmax(0,1fr)_76px_116px_96px]',
);
const noteLook = classes('min-w-0 overflow-hidden text-12 text-ellipsis text-ink-3 normal-nums');
/** Of a line that is wide enough for columns, which have the unit in their heads, heard and not seen. */
const unitLook = classes('min-[900px]:sr-only');

/** One option of the picker: its id first, what it can do, what is known about it, and the star. */
export function ModelRow({ option, learned, firstToken, query, isFavourite, onStar }: ModelRowProps) {
  const { model } = option;
  const hits = query.trim() === '' ? [] : (matchOf(option.id, query, model?.abilities)?.hits ?? []);
  const isEmbedding = model?.kind === 'embedding';
  return (
    <span
      className={classes(
        'grid w-full min-w-0 grid-cols-[24px_230px_22px_minmax(0,1fr)] items-center pr-3.5 pl-2.5',
        'narrow:grid-cols-[24px_minmax(0,1fr)_22px] narrow:grid-rows-[22px_18px] narrow:content-center',
      )}
      title={model?.description}
    >
      <EnterMark className="narrow:row-span-2" />
      <span className="min-w-0 overflow-hidden text-[14px]/5 font-550 text-ellipsis text-ink normal-nums">
        <ModelId id={option.id} drawn={(id, from, to) => withHits(id, hits, from, to)} />
      </span>{' '}
      <StarMark isOn={isFavourite} onToggle={onStar} />
      <span
        className={classes(
          'grid min-w-0 items-center',
          'narrow:col-start-2 narrow:row-start-2 narrow:flex narrow:gap-2.5 narrow:overflow-hidden',
          isEmbedding ? 'grid-cols-[minmax(0,1fr)_auto_auto]' : columnsLook,
        )}
      >
        {isEmbedding ? (
          <span className={noteLook}>
            {[model.description ?? [], ...listNotes(model)].flat().join(' · ')}
          </span>
        ) : model ? (
          <ModelAbilities can={model.abilities} learned={learned} notes={listNotes(model)} />
        ) : (
          <span className={classes(noteLook, 'flex')}>not in the list</span>
        )}{' '}
        <span
          className={classes(
            factLook,
            'text-ink-2',
            isEmbedding && model.contextTokens !== undefined && 'w-21',
          )}
        >
          {model?.contextTokens !== undefined && (
            <>
              {formatCount(model.contextTokens)}
              <span className={unitLook}> tokens</span>
            </>
          )}
        </span>{' '}
        <Price model={model} /> {!isEmbedding && <FirstToken ms={firstToken} />}
      </span>
      {!isEmbedding && model?.description !== undefined && (
        <span className="sr-only"> {model.description}</span>
      )}
    </span>
  );
}

/** The last option: what was typed, for an ID that the gateway does not list. */
export function TypedRow({ id, isListed }: { id: string; isListed: boolean }) {
  return (
    <span className="flex w-full min-w-0 items-center gap-2 pr-3.5 pl-2.5">
      <EnterMark className="w-4 flex-none" />
      <span className="min-w-61 overflow-hidden text-13 text-ellipsis text-ink normal-nums narrow:min-w-0">
        Use “<ModelId id={id} />” as a model ID
      </span>{' '}
      {!isListed && <span className="flex-none text-12 text-ink-3">(not in the list)</span>}
    </span>
  );
}

/** Drawn in the row that Enter uses. */
function EnterMark({ className }: { className: string }) {
  return (
    <span
      className={classes(
        'invisible leading-[0] text-ink-3 in-[[role=option][aria-selected=true]]:visible',
        className,
      )}
    >
      <CornerDownLeft className="icon-14" aria-hidden />
    </span>
  );
}

/** Its column is there only where a price is listed. */
function Price({ model }: { model: ModelRecord | undefined }) {
  const words = useListedPrice(model);
  return (
    <span
      className={classes(
        factLook,
        'hidden text-ink-2 group-has-data-price/models:block',
        model?.kind === 'embedding' && words !== undefined && 'w-29',
      )}
      data-price={words}
    >
      {words}
      {words !== undefined && words !== 'free' && <span className={unitLook}> per M tokens</span>}
    </span>
  );
}

function FirstToken({ ms }: { ms: ModelRowProps['firstToken'] }) {
  if (ms === undefined || ms === 'unmeasured') {
    return (
      <span className={classes(factLook, 'text-ink-3 narrow:group-has-data-price/models:hidden')}>
        {ms === undefined ? 'not used yet' : 'not measured'}
      </span>
    );
  }
  const { number, unit } = formatDuration(ms);
  return (
    <span className={classes(factLook, 'text-ink-2')}>
      {number} {unit}
      <span className={unitLook}> TTFT</span>
    </span>
  );
}

function withHits(id: string, hits: readonly Hit[], from: number, to: number) {
  const inside = hits
    .map(([start, end]): Hit => [Math.max(start, from), Math.min(end, to)])
    .filter(([start, end]) => start < end)
    .toSorted((one, other) => one[0] - other[0]);
  const parts = [];
  let at = from;
  for (const [start, end] of inside) {
    if (start < at) continue;
    parts.push(
      id.slice(at, start),
      <u key={start} className="decoration-needle decoration-2 underline-offset-3">
        {id.slice(start, end)}
      </u>,
    );
    at = end;
  }
  return [...parts, id.slice(at, to)];
}

interface StarMarkProps {
  isOn: boolean;
  onToggle: () => void;
}

/**
 * The star in an option, for the pointer only: an option holds no controls, so assistive technology is not
 * told of it and the picker's footer has a button for the keyboard. It never picks the option.
 */
function StarMark({ isOn, onToggle }: StarMarkProps) {
  return (
    <span
      className={classes(
        '-ml-1 grid size-6 flex-none place-items-center rounded-1 text-ink-3 hover:bg-sunken hover:text-ink',
        'pointer-coarse:-ml-3.5 pointer-coarse:size-11 narrow:row-span-2',
        !isOn && 'opacity-0 pointer-coarse:opacity-100',
        !isOn && 'in-[[role=option]:is(:hover,[aria-selected=true])]:opacity-100',
      )}
      aria-hidden
      title={isOn ? 'Remove from favourites' : 'Add to favourites'}
      ref={(mark) => {
        const toggle = (event: Event) => {
          event.stopPropagation();
          onToggle();
        };
        mark?.addEventListener('click', toggle);
        return () => mark?.removeEventListener('click', toggle);
      }}
    >
      <Star className={classes('icon-14', isOn && 'fill-current text-ink')} />
    </span>
  );
}
