import { clsx, type ClassValue } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

const mergeClasses = extendTailwindMerge<'icon'>({
  extend: {
    theme: {
      text: ['11', '12', '13', '14', '15', '18', '22', '24', '33', '54', 'mono-11', 'mono-12'],
      'font-weight': ['400', '450', '500', '550', '600', '650'],
      radius: ['1', '2', '3', '4'],
      shadow: ['e-1', 'e-2', 'e-3'],
      animate: ['loading', 'lamp', 'rise', 'fade', 'sheet'],
    },
    classGroups: { icon: ['icon-14', 'icon-16', 'icon-20'] },
    conflictingClassGroups: { icon: ['size', 'w', 'h', 'stroke-w'] },
  },
});

/**
 * Joins class names and removes those that a later one overrides, so that the `className` of a caller wins over the
 * classes of a component. The lists repeat the scales of `styles.css`, which tailwind-merge cannot read. Where nothing
 * is overridden, use `clsx`.
 */
export function cn(...classes: ClassValue[]): string {
  return mergeClasses(clsx(classes));
}
