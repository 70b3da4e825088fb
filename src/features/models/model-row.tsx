import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

import type { ModelChoice } from '../../conversation/session/types.ts';
import type { LearnedAbilities } from '../../conversation/setup/learned-abilities.ts';
import type { ModelRecord } from '../../gateway/models/model-record.ts';
import { formatContext, formatCount, formatDuration } from '../../lib/format.ts';
import { CornerDownLeft } from '../../ui/icons.tsx';
import { Star } from '../../ui/late-icons.tsx';
import { matchModel, type MatchRange } from './match-models.ts';
import { ModelAbilities } from './model-abilities.tsx';
import { ModelId } from './model-id.tsx';
import type { ModelOption } from './picker-options.ts';
import { useModelPrice } from './use-model-price.ts';

/** Lists additional notes about a model: problems first, then its owner. */
function listNotes({ id, ownedBy, state, shutdownDate, timesListed }: ModelRecord): string[] {
  const owner = ownedBy?.trim() ?? '';
  const isInId = id.toLowerCase().startsWith(`${owner.toLowerCase()}/`);
  return [
    ...(state === undefined ? [] : [state]),
    ...(shutdownDate === undefined ? [] : [`shuts down ${shutdownDate}`]),
    ...(timesListed === undefined ? [] : [`listed ${timesListed} times`]),
    ...(owner === '' || isInId ? [] : [`by ${owner}`]),
  ];
}

interface ModelRowProps {
  option: ModelOption;
  /** Abilities learned from runs. */
  learned: LearnedAbilities;
  /** Time to first token of the last answer in ms; `unmeasured`: the model was used, but the time is unknown. */
  firstTokenMs: number | 'unmeasured' | undefined;
  query: string;
  isFavourite: boolean;
  onToggleFavourite: () => void;
}

/** A fact in a column at the right. */
function Fact({ className, ...rest }: ComponentProps<'span'>) {
  return (
    <span
      className={clsx('flex-none overflow-hidden text-right text-12 text-ellipsis tabular-nums', className)}
      {...rest}
    />
  );
}

/** Hidden where rows have columns, whose headings show the unit; screen readers still read it. */
function Unit(props: { children: string }) {
  return <span className="group-data-[layout=columns]/models:sr-only" {...props} />;
}

/** Option of the picker: ID, abilities, known facts and the star. */
export function ModelRow({
  option,
  learned,
  firstTokenMs,
  query,
  isFavourite,
  onToggleFavourite,
}: ModelRowProps) {
  const { model } = option;
  const ranges =
    query.trim() === ''
      ? []
      : (matchModel(option.label, query, model?.abilities, option.headings)?.ranges ?? []);
  const isEmbedding = model?.kind === 'embedding';
  return (
    <span
      className={clsx(
        'grid w-full min-w-0 grid-cols-[24px_230px_22px_minmax(0,1fr)] items-center pr-3.5 pl-2.5',
        'group-data-[layout=stacked]/models:grid-cols-[24px_minmax(0,1fr)_22px] group-data-[layout=stacked]/models:grid-rows-[22px_18px] group-data-[layout=stacked]/models:content-center',
      )}
      title={model?.description}
    >
      <EnterIcon className="group-data-[layout=stacked]/models:row-span-2" />
      <span className="min-w-0 overflow-hidden text-[14px]/5 font-550 text-ellipsis text-ink normal-nums">
        <ModelId id={option.label} renderPart={(id, from, to) => markRanges(id, ranges, from, to)} />
      </span>{' '}
      <StarMark isFavourite={isFavourite} onToggle={onToggleFavourite} />
      <span
        className={clsx(
          'grid min-w-0 items-center',
          'group-data-[layout=stacked]/models:col-start-2 group-data-[layout=stacked]/models:row-start-2 group-data-[layout=stacked]/models:flex group-data-[layout=stacked]/models:gap-2.5 group-data-[layout=stacked]/models:overflow-hidden',
          isEmbedding
            ? 'grid-cols-[minmax(0,1fr)_auto_auto]'
            : 'grid-cols-[minmax(0,1fr)_84px_104px] group-has-data-price/models:grid-cols-[minmax(0,1fr)_76px_116px_96px]',
        )}
      >
        {isEmbedding ? (
          <span className="min-w-0 overflow-hidden text-12 text-ellipsis text-ink-3 normal-nums">
            {[model.description ?? [], ...listNotes(model)].flat().join(' · ')}
          </span>
        ) : model ? (
          <ModelAbilities
            abilities={model.abilities}
            learned={learned}
            notes={listNotes(model)}
            description={model.description}
          />
        ) : (
          <span className="flex min-w-0 overflow-hidden text-12 text-ellipsis text-ink-3 normal-nums">
            not listed
          </span>
        )}{' '}
        <Fact className={clsx('text-ink-2', isEmbedding && model.contextTokens !== undefined && 'w-21')}>
          {model?.contextTokens !== undefined && (
            <>
              <span title={`${formatCount(model.contextTokens)} tokens`}>
                {formatContext(model.contextTokens)}
              </span>
              <Unit> tokens</Unit>
            </>
          )}
        </Fact>{' '}
        <Price choice={option.choice} model={model} /> {!isEmbedding && <FirstToken ms={firstTokenMs} />}
      </span>
      {!isEmbedding && model?.description !== undefined && (
        <span className="sr-only"> {model.description}</span>
      )}
    </span>
  );
}

/** Last option: the typed text as an ID that the gateway does not list. */
export function TypedRow({ id, isListed }: { id: string; isListed: boolean }) {
  return (
    <span className="flex w-full min-w-0 items-center gap-2 pr-3.5 pl-2.5">
      <EnterIcon className="w-4 flex-none" />
      <span className="min-w-61 overflow-hidden text-13 text-ellipsis text-ink normal-nums group-data-[layout=stacked]/models:min-w-0">
        Use “<ModelId id={id} />” as a model ID
      </span>{' '}
      {!isListed && <span className="flex-none text-12 text-ink-3">(not listed)</span>}
    </span>
  );
}

/** Icon in the row that Enter selects. */
function EnterIcon({ className }: { className: string }) {
  return (
    <span
      className={clsx(
        'invisible leading-[0] text-ink-3 in-[[role=option][aria-selected=true]]:visible',
        className,
      )}
    >
      <CornerDownLeft className="icon-14" aria-hidden />
    </span>
  );
}

/** Price column; present only if the price of at least one model is known. */
function Price({ choice, model }: { choice: ModelChoice; model: ModelRecord | undefined }) {
  const priceText = useModelPrice(choice);
  return (
    <Fact
      className={clsx(
        'hidden text-ink-2 group-has-data-price/models:block',
        model?.kind === 'embedding' && priceText !== undefined && 'w-29',
      )}
      data-price={priceText}
    >
      {priceText}
      {priceText !== undefined && priceText !== 'free' && <Unit> per 1M tokens</Unit>}
    </Fact>
  );
}

function FirstToken({ ms }: { ms: ModelRowProps['firstTokenMs'] }) {
  if (ms === undefined || ms === 'unmeasured') {
    return (
      <Fact className="text-ink-3 group-data-[layout=stacked]/models:group-has-data-price/models:hidden">
        <span aria-hidden>–</span>
        <span className="sr-only">{ms === undefined ? 'not used yet' : 'not measured'}</span>
      </Fact>
    );
  }
  const { number, unit } = formatDuration(ms);
  return (
    <Fact className="text-ink-2">
      {number} {unit}
      <Unit> TTFT</Unit>
    </Fact>
  );
}

function markRanges(id: string, ranges: readonly MatchRange[], from: number, to: number) {
  const visibleRanges = ranges
    .map(([start, end]): MatchRange => [Math.max(start, from), Math.min(end, to)])
    .filter(([start, end]) => start < end)
    .toSorted((a, b) => a[0] - b[0]);
  const nodes = [];
  let offset = from;
  for (const [start, end] of visibleRanges) {
    if (start < offset) continue;
    nodes.push(
      id.slice(offset, start),
      <u key={start} className="decoration-needle decoration-2 underline-offset-3">
        {id.slice(start, end)}
      </u>,
    );
    offset = end;
  }
  return [...nodes, id.slice(offset, to)];
}

interface StarMarkProps {
  isFavourite: boolean;
  onToggle: () => void;
}

/**
 * Star in an option, for the pointer only and never selecting the option. Options must not contain controls, so it is
 * hidden from assistive technology; keyboard users have a button in the picker's footer.
 */
function StarMark({ isFavourite, onToggle }: StarMarkProps) {
  return (
    <span
      className={clsx(
        '-ml-1 grid size-6 flex-none place-items-center rounded-1 text-ink-3 hover:bg-sunken hover:text-ink',
        'group-data-[layout=stacked]/models:row-span-2 pointer-coarse:-ml-3.5 pointer-coarse:size-11',
        !isFavourite && 'opacity-0 pointer-coarse:opacity-100',
        !isFavourite && 'in-[[role=option]:is(:hover,[aria-selected=true])]:opacity-100',
      )}
      aria-hidden
      title={isFavourite ? 'Remove from favourites' : 'Add to favourites'}
      ref={(element) => {
        const toggle = (event: Event) => {
          event.stopPropagation();
          onToggle();
        };
        element?.addEventListener('click', toggle);
        return () => element?.removeEventListener('click', toggle);
      }}
    >
      <Star className={clsx('icon-14', isFavourite && 'fill-current text-ink')} />
    </span>
  );
}
