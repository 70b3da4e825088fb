import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Plus } from '../../../ui/icons.tsx';
import { Maximize, Minus } from '../../../ui/late-icons.tsx';

interface ZoomButtonsProps {
  zoomable: { zoom: (factor: number) => void; fit: () => void } | undefined;
  /** Zoom factor of one step. */
  factor: number;
  /** Label of the button that shows the whole map or matrix. */
  fitLabel: string;
}

/** Buttons to zoom in, zoom out and show the whole map or matrix. */
export function ZoomButtons({ zoomable, factor, fitLabel }: ZoomButtonsProps) {
  return (
    <>
      <IconButton size="small" label="Zoom in" shortcut="+" onClick={() => zoomable?.zoom(factor)}>
        <Plus className="icon-14" aria-hidden />
      </IconButton>
      <IconButton size="small" label="Zoom out" shortcut="-" onClick={() => zoomable?.zoom(1 / factor)}>
        <Minus className="icon-14" aria-hidden />
      </IconButton>
      <IconButton size="small" label={fitLabel} shortcut="0" onClick={() => zoomable?.fit()}>
        <Maximize className="icon-14" aria-hidden />
      </IconButton>
    </>
  );
}
