import { Star } from 'lucide-react';

interface StarMarkProps {
  isOn: boolean;
  onToggle: () => void;
}

/**
 * The star in an option, for the pointer only: an option holds no controls, so assistive technology is not
 * told of it and the picker's footer has a button for the keyboard. It never picks the option.
 */
export function StarMark({ isOn, onToggle }: StarMarkProps) {
  return (
    <span
      className={isOn ? 'star on' : 'star'}
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
      <Star className="i s" />
    </span>
  );
}
