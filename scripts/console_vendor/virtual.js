export {
  Virtualizer, elementScroll, measureElement, observeElementOffset, observeElementRect,
} from '@tanstack/virtual-core';
