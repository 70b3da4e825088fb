import { useCallback, useMemo, useState } from 'react';

import { mergeAbilities } from '../../conversation/setup/learned-abilities.ts';
import type { ModelMarks } from '../../conversation/setup/model-marks.ts';
import { findModel } from '../../gateway/models/model-record.ts';
import { preloadableImport } from '../../lib/lazy-import.ts';
import { useLearnedRecords, usePrefs } from '../../state/use-playground.tsx';
import { classes } from '../../ui/cn.ts';
import { Combobox } from '../../ui/controls/combobox.tsx';
import type { Place } from '../../ui/focus/focus-target.ts';
import { useIsNarrow } from '../../ui/hooks/use-is-narrow.ts';
import type { LatePart } from '../../ui/hooks/use-lazy-module.ts';
import { matchingModels } from './match-models.ts';
import { ModelId } from './model-id.tsx';
import type { modelList } from './model-picker-list.tsx';
import { modelOptions, type FilterAbility, type ModelOption, type PickerKind } from './picker-options.ts';
import { emptyListWords, useModels } from './use-models.ts';

/** Without it the list opens and picks all the same: each option is its id. */
const late: LatePart<typeof modelList> = {
  fetch: preloadableImport(
    async () => (late.here = (await import('./model-picker-list.tsx')).modelList),
    true,
  ),
};

interface ModelPickerProps {
  /** The id in use; empty where none has been picked. */
  value: string;
  /** `alternate`: picked with Ctrl or Cmd held. */
  onPick: (model: string, alternate: boolean) => void;
  kind: PickerKind;
  /** Accessible name. */
  label?: string;
  /** What others know its field as. */
  place?: Place;
}

/** Wider where a price is listed; in a narrow window as wide as its lane. */
const listPlace = classes(
  'group/models w-[min(780px,calc(100vw-16px))] has-data-price:w-[min(840px,calc(100vw-16px))]',
  'narrow:in-[.lane-head]:supports-[width:anchor-size(width)]:mx-2',
  'narrow:in-[.lane-head]:not-has-data-price:supports-[width:anchor-size(width)]:w-[calc(anchor-size(width)-16px)]',
);

/** An ID where it will stand once the list is drawn. */
const plainLook = classes('text-[14px]/5 font-550 narrow:pb-4.5');

const rowPx = 36;
/** Of two lines, and for a finger. */
const narrowRowPx = 48;

const typedOption = (text: string): ModelOption => ({
  id: text,
  label: `Use “${text}” as a model ID`,
  isTyped: true,
});
const none: readonly never[] = [];
const noMarks: ModelMarks = {};

/** Picks a model by searching the gateway's list, or uses any id as typed. */
export function ModelPicker({ value, onPick, kind, label = 'Model', place }: ModelPickerProps) {
  const [drawn, fetchDrawn] = useLateList();
  const list = useModels();
  const favourites = usePrefs((state) => state.favouriteModels);
  const recent = usePrefs((state) => state.recentModels);
  const [wanted, setWanted] = useState<readonly FilterAbility[]>(none);
  const isNarrow = useIsNarrow();
  const marks = usePrefs((state) => state.modelMarks) ?? noMarks;
  const learned = useLearnedRecords();
  const listed = list.data?.models ?? none;
  const models = useMemo(
    () =>
      listed.map((model) =>
        Object.hasOwn(learned, model.id) || Object.hasOwn(marks, model.id)
          ? { ...model, abilities: mergeAbilities(model, learned, marks) }
          : model,
      ),
    [listed, learned, marks],
  );
  const options = useMemo(
    () => modelOptions({ models, kind, favourites, recent, wanted }),
    [models, kind, favourites, recent, wanted],
  );

  const filter = useCallback(
    (offered: readonly ModelOption[], query: string) => matchingModels(offered, query, recent),
    [recent],
  );
  const want = (ability: FilterAbility) => {
    setWanted(wanted.includes(ability) ? wanted.filter((other) => other !== ability) : [...wanted, ability]);
  };

  const renderHeader = (matches: { count: number; total: number }) =>
    drawn ? (
      <drawn.Head
        kind={kind}
        wanted={wanted}
        onWant={want}
        list={list}
        hasContext={options.some(({ model }) => model?.contextTokens)}
        {...matches}
      />
    ) : (
      <HeadRoom hasFilters={kind === 'chat'} hasColumns={matches.total > 0} />
    );

  return (
    <Combobox
      label={label}
      {...(place ? { place } : {})}
      value={value}
      {...(value === '' ? {} : { shown: <ModelId id={value} /> })}
      placeholder="Choose a model"
      className="model-picker max-w-full has-[>input[aria-expanded=true]]:flex-[0_1_300px]"
      listClassName={listPlace}
      fillsRows
      onApproach={fetchDrawn}
      options={options}
      onPick={({ id }, alternate) => onPick(id, alternate)}
      filter={filter}
      typedOption={typedOption}
      optionHeightPx={isNarrow ? narrowRowPx : rowPx}
      listBeside={isNarrow ? '.lane-head' : undefined}
      emptyText={emptyListWords(list)}
      renderOption={(option, query) =>
        drawn ? (
          <drawn.Row option={option} query={query} isListed={findModel(listed, option.id) !== undefined} />
        ) : (
          <span className={classes('truncate pr-3.5 pl-8.5', !option.isTyped && plainLook)}>
            <ModelId id={option.label} />
          </span>
        )
      }
      header={renderHeader}
      footer={drawn ? <drawn.Foot kind={kind} value={value} list={list} /> : <span />}
    />
  );
}

/** What draws the list, and what fetches it. */
function useLateList() {
  const [drawn, setDrawn] = useState(late.here);
  const fetchDrawn = () => {
    if (drawn) return;
    // Where it is here already, in the same moment.
    setDrawn(late.here);
    void late.fetch().then(setDrawn, () => undefined);
  };
  return [drawn, fetchDrawn] as const;
}

/** As much room as what is above the list takes, until that has come: no row moves then. */
function HeadRoom({ hasFilters, hasColumns }: { hasFilters: boolean; hasColumns: boolean }) {
  return (
    <>
      {hasFilters && <span className="h-6 w-54 max-phone:h-8" />}
      <span className="h-6 w-30" />
      {hasColumns && <span className="h-5 basis-full narrow:hidden" />}
    </>
  );
}
