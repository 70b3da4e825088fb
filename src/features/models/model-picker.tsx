import { Brain, Image, Star, Wrench } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';

import { usePlayground, usePrefs } from '../../state/react.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { Tag } from '../../ui/tag.tsx';
import { useIdleLoad } from '../../ui/use-idle-load.ts';
import { ListState } from './list-state.tsx';
import { matchingModels } from './match-models.ts';
import { ModelId } from './model-id.tsx';
import {
  abilities,
  modelOptions,
  type FilterAbility,
  type ModelOption,
  type PickerKind,
} from './model-options.ts';
import { useIsNarrow } from './use-is-narrow.ts';
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
}

const icons = { vision: Image, tools: Wrench, thinking: Brain };
/** Not needed before the list is opened. */
async function loadRows() {
  const [abilities, row] = await Promise.all([
    import('../../conversation/abilities.ts'),
    import('./model-row.tsx'),
  ]);
  return { ...abilities, ...row };
}

const rowPx = 32;
const touchRowPx = 48;

const typedOption = (text: string): ModelOption => ({ id: text, label: text });
const none: readonly never[] = [];

/** Picks a model by searching the gateway's list, or uses any id as typed. */
export function ModelPicker({ value, onPick, kind, label = 'Model' }: ModelPickerProps) {
  const { prefs } = usePlayground();
  const list = useModels();
  const favourites = usePrefs((state) => state.favouriteModels);
  const recent = usePrefs((state) => state.recentModels);
  const [wanted, setWanted] = useState<readonly FilterAbility[]>(none);
  const isNarrow = useIsNarrow();
  const marks = usePrefs((state) => state.modelMarks);
  const learned = usePrefs((state) => state.learned);
  const [rows, setRows] = useState<Awaited<ReturnType<typeof loadRows>>>();
  useIdleLoad(useCallback(async () => setRows(await loadRows()), []));
  const listed = list.data?.models ?? none;
  const models = useMemo(
    () =>
      rows
        ? listed.map((model) => ({ ...model, abilities: rows.withLearned(model, learned, marks ?? {}) }))
        : listed,
    [listed, learned, marks, rows],
  );
  const options = useMemo(
    () => modelOptions({ models, kind, favourites, recent, wanted }),
    [models, kind, favourites, recent, wanted],
  );

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
      {kind === 'chat' &&
        abilities.map((ability) => {
          const Icon = icons[ability];
          return (
            <Tag key={ability} pressed={wanted.includes(ability)} onPress={() => want(ability)}>
              <Icon className="i s" aria-hidden />
              {ability}
            </Tag>
          );
        })}
      <span className="grow" />
      <ListState list={list} count={count} total={total} />
    </>
  );

  return (
    <Combobox
      label={label}
      value={value}
      {...(value === '' ? {} : { shown: <ModelId id={value} /> })}
      placeholder="Choose a model"
      className="model-picker"
      options={options}
      onPick={({ id }, alternate) => onPick(id, alternate)}
      filter={matchingModels}
      typedOption={typedOption}
      optionHeightPx={isNarrow ? touchRowPx : rowPx}
      emptyText={
        list.isError
          ? 'Type an ID and press Enter to use it.'
          : 'No model matches. Type its whole ID and press Enter to use it.'
      }
      renderOption={(option, query) =>
        rows ? (
          <rows.ModelRow
            option={option}
            learned={rows.learnedOf(learned, option.id)}
            query={query}
            isFavourite={favourites.includes(option.id)}
            onStar={() => star(option.id)}
          />
        ) : (
          <ModelId id={option.id} />
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
            <span>use</span>
          </span>
          <span className="grow" />
          {value !== '' && (
            <Tag pressed={favourites.includes(value)} onPress={() => star(value)}>
              <Star className="i s" aria-hidden />
              Favourite {value.slice(value.lastIndexOf('/') + 1)}
            </Tag>
          )}
        </>
      }
    />
  );
}
