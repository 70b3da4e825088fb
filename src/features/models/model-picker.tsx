import { Brain, Image, Wrench } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';

import { learnedOf, withLearned } from '../../conversation/setup/abilities.ts';
import { whenOf } from '../../lib/when.ts';
import { firstTokenMsOf } from '../../state/learned-models.ts';
import { useLearned, usePlayground, usePrefs } from '../../state/react.tsx';
import { textButtonLook } from '../../ui/controls/button.tsx';
import { Combobox } from '../../ui/controls/combobox.tsx';
import { KeyNames } from '../../ui/display/key-names.tsx';
import { Tag } from '../../ui/display/tag.tsx';
import type { Place } from '../../ui/focus/places.ts';
import { useIsNarrow } from '../../ui/hooks/use-is-narrow.ts';
import { emptyListWords, ListState } from './list-state.tsx';
import { matchingModels } from './match-models.ts';
import { ModelId } from './model-id.tsx';
import {
  abilities,
  modelOptions,
  type FilterAbility,
  type ModelOption,
  type PickerKind,
} from './model-options.ts';
import { ModelRow, TypedRow } from './model-row.tsx';
import { useModels } from './use-models.ts';

import './models.css';

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

const filters = {
  vision: [Image, 'Images'],
  tools: [Wrench, 'Tools'],
  thinking: [Brain, 'Thinking'],
} as const;

const rowPx = 36;
/** Of two lines, and for a finger. */
const narrowRowPx = 48;

const typedOption = (text: string): ModelOption => ({ id: text, label: text, isTyped: true });
const none: readonly never[] = [];

/** Picks a model by searching the gateway's list, or uses any id as typed. */
export function ModelPicker({ value, onPick, kind, label = 'Model', place }: ModelPickerProps) {
  const { prefs, environment } = usePlayground();
  const list = useModels();
  const favourites = usePrefs((state) => state.favouriteModels);
  const recent = usePrefs((state) => state.recentModels);
  const [wanted, setWanted] = useState<readonly FilterAbility[]>(none);
  const isNarrow = useIsNarrow();
  const marks = usePrefs((state) => state.modelMarks);
  const learned = useLearned();
  const listed = list.data?.models ?? none;
  const models = useMemo(
    () => listed.map((model) => ({ ...model, abilities: withLearned(model, learned, marks ?? {}) })),
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
  const firstTokenOf = (id: string) => {
    const isUsed = recent.includes(id) || Object.keys(learnedOf(learned, id)).length > 0;
    return firstTokenMsOf(learned, id) ?? (isUsed ? 'unmeasured' : undefined);
  };

  const star = (id: string) => {
    const isFavourite = favourites.includes(id);
    const favouriteModels = isFavourite ? favourites.filter((other) => other !== id) : [...favourites, id];
    prefs.setState({ favouriteModels });
  };
  const want = (ability: FilterAbility) => {
    setWanted(wanted.includes(ability) ? wanted.filter((other) => other !== ability) : [...wanted, ability]);
  };

  const renderHeader = ({ count, total }: { count: number; total: number }) => (
    <>
      {kind === 'chat' && (
        <span className="filters" role="group" aria-label="Only models with">
          {abilities.map((ability) => {
            const [Icon, words] = filters[ability];
            return (
              <Tag key={ability} pressed={wanted.includes(ability)} onPress={() => want(ability)}>
                <Icon className="icon-14" aria-hidden />
                {words}
              </Tag>
            );
          })}
        </span>
      )}
      <span className="grow" />
      <ListState list={list} count={count} total={total} />
      {total > 0 && (
        <span className="model-row columns" aria-hidden>
          <span />
          <span>Model</span>
          <span />
          <span className="model-facts">
            <span>{kind === 'chat' ? 'Can do' : ''}</span>
            <span className="fact">{options.some(({ model }) => model?.contextTokens) && 'Context'}</span>
            <span className="fact price">Per M in / out</span>
            {kind === 'chat' && <span className="fact">Last TTFT</span>}
          </span>
        </span>
      )}
    </>
  );

  return (
    <Combobox
      label={label}
      {...(place ? { place } : {})}
      value={value}
      {...(value === '' ? {} : { shown: <ModelId id={value} /> })}
      placeholder="Choose a model"
      className="model-picker"
      options={options}
      onPick={({ id }, alternate) => onPick(id, alternate)}
      filter={filter}
      typedOption={typedOption}
      optionHeightPx={isNarrow ? narrowRowPx : rowPx}
      listBeside={isNarrow ? '.lane-head' : undefined}
      emptyText={emptyListWords(list)}
      renderOption={(option, query) =>
        option.isTyped ? (
          <TypedRow id={option.id} isListed={listed.some(({ id }) => id === option.id)} />
        ) : (
          <ModelRow
            option={option}
            learned={learnedOf(learned, option.id)}
            firstToken={firstTokenOf(option.id)}
            query={query}
            isFavourite={favourites.includes(option.id)}
            onStar={() => star(option.id)}
          />
        )
      }
      header={renderHeader}
      footer={
        <>
          <span className="keys">
            <kbd>↑</kbd>
            <kbd>↓</kbd>
            <span>move</span>
            <kbd>Enter</kbd>
            <span>use{kind === 'chat' && ' here'}</span>
            {kind === 'chat' && (
              <>
                <KeyNames keys={[['Mod', 'Enter']]} />
                <span>new lane</span>
              </>
            )}
            <kbd>Esc</kbd>
            <span>keep current</span>
          </span>
          <span className="grow" />
          {value !== '' && (
            <button type="button" className={textButtonLook} title={value} onClick={() => star(value)}>
              {favourites.includes(value) ? 'Remove from favourites' : 'Add to favourites'}
            </button>
          )}
          {list.dataUpdatedAt > 0 && (
            <span className="age">List from {whenOf(list.dataUpdatedAt, environment.now())}</span>
          )}
        </>
      }
    />
  );
}
