// The address is that of the user who waits. Pass nil if nobody does.
params := &aviso.RefreshConnectionParams{XPsuIPAddress: "203.0.113.7"}
connection, err := client.User(userID).Connections.Refresh(ctx, connectionID, params)
if err != nil {
	return err
}
fmt.Println(connection.NextRefreshPossibleAt)
