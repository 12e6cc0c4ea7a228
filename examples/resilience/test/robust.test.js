import { createRobustClient } from '../src/robust.js'
import { testOrders } from './orders.js'

testOrders(createRobustClient)
