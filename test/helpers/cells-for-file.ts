import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { CollectionName } from '#shared/domain/collections'
import { campaignsModel, type LooseModel } from './campaigns-model'
import type { Device } from './device'
import { lazily } from './for-file'
import type { TestService } from './service'
import { openWholeAccount, type OpenAccount } from './whole-account'

/** A downloaded account and its placements, for all tests of a file. Use it in hooks and tests only. */
export interface FileCells {
  service: TestService
  device: Device
  profile(): string
  /** The list that `show` opened last: placements when a test begins. */
  cells: LooseModel
  show(kind: CollectionName): Promise<LooseModel>
}

/** Each test begins without the edits of earlier ones. */
export function cellsForFile(): FileCells {
  let account: OpenAccount | undefined
  let cells: LooseModel | undefined
  const profile = (): string => account!.profile
  const show = async (kind: CollectionName): Promise<LooseModel> =>
    (cells = await campaignsModel(account!.device.replica, profile(), kind))
  beforeAll(async () => {
    account = await openWholeAccount()
  })
  afterAll(() => account?.close())
  beforeEach(async () => {
    while ((await account!.device.replica.undo()) !== null);
    await show('placements')
  })
  return {
    service: lazily(() => account!.service),
    device: lazily(() => account!.device),
    cells: lazily(() => cells!),
    profile,
    show,
  }
}
