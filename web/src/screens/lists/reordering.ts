import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'

/** Lets a header be dragged onto another; returns what ends it. */
export function enableReordering(
  element: HTMLElement,
  index: number,
  onOver: (isOver: boolean) => void,
  onMove: (from: number, to: number) => void,
): () => void {
  const stopDrag = draggable({ element, getInitialData: () => ({ column: index }) })
  const stopDrop = dropTargetForElements({
    element,
    canDrop: ({ source }) => typeof source.data.column === 'number',
    onDragEnter: () => onOver(true),
    onDragLeave: () => onOver(false),
    onDrop: ({ source }) => {
      onOver(false)
      onMove(Number(source.data.column), index)
    },
  })
  return () => {
    stopDrag()
    stopDrop()
  }
}
