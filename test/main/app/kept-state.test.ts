import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { windowsFile } from '../../../src-main/app/kept-state'
import { folderForFile } from '../../helpers/for-file'

const folder = folderForFile('flightplan-windows-')

it.each([
  ['as it was saved', {}, 1],
  ['without numbers that no screen takes', { x: 2 ** 40 }, 0],
  ['without fractions', { width: 900.5 }, 0],
])('opened windows are read %s', async (_, wrong, count) => {
  const place = { view: 'calendar', params: {} }
  const one = { place, x: 0, y: 0, width: 900, height: 600, maximized: false, ...wrong }
  await writeFile(join(folder, 'windows.json'), JSON.stringify([one]))
  expect(await windowsFile(folder).read()).toHaveLength(count)
})
